package dev.medley.loop.monitor;

/**
 * Says where a monitor stands after a window.
 *
 * @param windows that were seen
 * @param evidence against "nothing has changed", as a share of what an alarm needs; an alarm is
 *     from 1, and stays one
 * @param alarmedAt the window of the alarm, from 1; 0 where there is none
 * @param why one sentence
 */
public record Standing(long windows, double evidence, long alarmedAt, String why) {
    /** Whether the column has changed, wrongly with the promised chance at most. */
    public boolean isAlarm() {
        return alarmedAt > 0;
    }
}
