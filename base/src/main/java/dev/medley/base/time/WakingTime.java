package dev.medley.base.time;

/**
 * Counts the time in which a process was awake. It is told the time now and then; where it was not
 * told for longer than the process can have been busy, the process slept: it was stopped, or its
 * machine was suspended or paused. Time beyond that gap does not count. So a process that slept
 * finds that others, too, were silent for no longer than the gap.
 *
 * <p>Thread: {@link #tick} belongs to one; {@link #at} may be called from any. Time never goes
 * backwards for any caller: sleep is left out before the tick that notices it as well as after.
 */
public final class WakingTime {
    private final long gapNs;
    private volatile Tick last;

    /** When the process was seen awake last, and how long it had slept by then. */
    private record Tick(long atNs, long sleptNs) {}

    /**
     * A process that is awake at {@code nowNs}.
     *
     * @param gapNs the longest time between two ticks in which it counts as awake
     */
    public WakingTime(long nowNs, long gapNs) {
        this.gapNs = gapNs;
        this.last = new Tick(nowNs, 0);
    }

    /** The process is awake at {@code nowNs}. */
    public void tick(long nowNs) {
        Tick before = last;
        long sleptNs = Math.max(0, nowNs - before.atNs() - gapNs);
        last = new Tick(nowNs, before.sleptNs() + sleptNs);
    }

    /** The waking time that corresponds to {@code nowNs}, which is now. */
    public long at(long nowNs) {
        Tick tick = last;
        long seenNs = Math.max(nowNs, tick.atNs()); // The process may have slept since it looked.
        return Math.min(seenNs, tick.atNs() + gapNs) - tick.sleptNs();
    }
}
