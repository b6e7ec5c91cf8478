/* SPDX-License-Identifier: MIT
 *
 * Three frames: the camera draws into one, the screen shows one, and the third
 * is swapped by either, with a bit that says it is new.  -DBROKEN: the camera
 * swaps relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define FRESH 0x80u

typedef struct {
    int pixels[2];
} frame_t;

static frame_t frames[3];
static _Atomic uint8_t middle = 1;

static void *camera(void *arg)
{
    uint8_t back = 0;

    for (int n = 1; n <= 2; n++) {
        frames[back].pixels[0] = n;
        frames[back].pixels[1] = n;
#ifdef BROKEN
        back = atomic_exchange_explicit(&middle, back | FRESH,
                                        memory_order_relaxed);
#else
        back = atomic_exchange_explicit(&middle, back | FRESH,
                                        memory_order_acq_rel);
#endif
        back &= 3;
    }
    return arg;
}

static void *screen(void *arg)
{
    uint8_t front = 2;
    int last = 0;

    for (int i = 0; i < 2; i++) {
        if (!(atomic_load_explicit(&middle, memory_order_relaxed) & FRESH))
            continue;
        front = atomic_exchange_explicit(&middle, front, memory_order_acq_rel);
        front &= 3;
        assert(frames[front].pixels[0] == frames[front].pixels[1]);
        assert(frames[front].pixels[0] > last);
        last = frames[front].pixels[0];
    }
    return arg;
}

int main(void)
{
    pthread_t c, s;

    pthread_create(&c, 0, camera, 0);
    pthread_create(&s, 0, screen, 0);
    pthread_join(c, 0);
    pthread_join(s, 0);
    return 0;
}
