/* Message passing: a program with a main, and no test. */
#include <assert.h>
#include <pthread.h>

static int data, flag, saw_flag, saw_data;

static void *writer(void *unused)
{
    (void)unused;
    data = 1;
    flag = 1;
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, writer, NULL);
    saw_flag = flag;
    saw_data = data;
    pthread_join(t, NULL);
    assert(!saw_flag || saw_data);
    return 0;
}
