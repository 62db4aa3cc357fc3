/* An automated gearbox with five speeds and a dry clutch, without timing. The driver moves the lever one gear up, to
   the fifth, and down again. The control opens the clutch, has the gear changed and closes the clutch, by events. The
   gear must only change while the clutch is open, and the motor must not be loaded meanwhile. -DSHIFTS=N: N shifts. */
#include <assert.h>
#include <fthread.h>
#ifndef SHIFTS
#define SHIFTS 4
#endif
#define GEARS 5
#define CLOSED 0
#define OPEN 1
static ft_event_t lever, open_clutch, opened, change, changed, close_clutch, closed, ready;
static int wanted, gear, clutch, loaded = 1, shifts;
static void driver(void *arg)
{
	int up = 1;
	for (int i = 0; i < SHIFTS; i++) {
		if (gear == 0 || gear == GEARS)
			up = gear == 0;
		wanted = gear + (up ? 1 : -1);
		ft_thread_generate(lever);
		ft_thread_await(ready);
		assert(gear == wanted);
		ft_thread_cooperate();
	}
}
static void control(void *arg)
{
	for (int i = 0; i < SHIFTS; i++) {
		ft_thread_await(lever);
		loaded = 0;
		ft_thread_generate(open_clutch);
		ft_thread_await(opened);
		ft_thread_generate(change);
		ft_thread_await(changed);
		ft_thread_generate(close_clutch);
		ft_thread_await(closed);
		loaded = 1;
		shifts++;
		ft_thread_generate(ready);
		ft_thread_cooperate();
	}
}
static void actuate_clutch(void *arg)
{
	for (int i = 0; i < SHIFTS; i++) {
		ft_thread_await(open_clutch);
		clutch = OPEN;
		ft_thread_generate(opened);
		ft_thread_await(close_clutch);
		clutch = CLOSED;
		ft_thread_generate(closed);
		ft_thread_cooperate();
	}
}
static void actuate_gear(void *arg)
{
	for (int i = 0; i < SHIFTS; i++) {
		ft_thread_await(change);
		assert(clutch == OPEN && !loaded);
		gear = wanted;
		ft_thread_generate(changed);
		ft_thread_cooperate();
	}
}
static void motor(void *arg)
{
	for (int i = 0; i < SHIFTS; i++) {
		ft_thread_await(ready);
		assert(clutch == CLOSED && loaded && gear >= 0 && gear <= GEARS);
		ft_thread_cooperate();
	}
}
int main(void)
{
	ft_scheduler_t s = ft_scheduler_create();
	ft_event_t *event[] = { &lever, &open_clutch, &opened, &change, &changed, &close_clutch, &closed, &ready };
	for (unsigned i = 0; i < sizeof event / sizeof event[0]; i++)
		*event[i] = ft_event_create(s);
	ft_thread_create(s, driver, 0, 0);
	ft_thread_create(s, control, 0, 0);
	ft_thread_create(s, actuate_clutch, 0, 0);
	ft_thread_create(s, actuate_gear, 0, 0);
	ft_thread_create(s, motor, 0, 0);
	ft_scheduler_start(s);
	ft_exit();
	return 0;
}
