/* Neither a test nor a main. */
int nothing;
