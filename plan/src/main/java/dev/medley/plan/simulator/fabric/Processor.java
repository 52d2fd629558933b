package dev.medley.plan.simulator.fabric;

/**
 * Simulates the processor of a machine: when computing ends, and when a message is handled.
 *
 * <p>Under a quota (CFS bandwidth control) the processes of a machine run in each period until its
 * quota is used up, and stand still until the next period begins. So a machine that computes is
 * asleep for a part 1 - q of the time, and a message that comes meanwhile waits. Computing lacks
 * the quota that messages take, and ends so much later. Without a quota messages have a core of
 * their own.
 */
public final class Processor {
    private final double quota;
    private final double periodNs;
    private final double phaseNs;

    private boolean isComputing;
    private double owedNs;
    private double usedNs;
    private double usedPeriod = Double.NEGATIVE_INFINITY;
    private double freeNs;

    /**
     * A processor.
     *
     * @param unrest its quota
     * @param phase where in its period it begins, from 0 to 1; periods of machines are not in step
     */
    Processor(Disturbance unrest, double phase) {
        quota = unrest.quota();
        periodNs = unrest.periodNs();
        phaseNs = phase * periodNs;
    }

    /**
     * When a stretch of computing ends that begins now; {@code wallNs} is what it takes in the
     * mean, under the quota and with nothing else to do.
     */
    public double compute(double nowNs, double wallNs) {
        isComputing = true;
        if (quota == 1) {
            return nowNs + wallNs;
        }
        settle();
        return given(nowNs, wallNs * quota);
    }

    /** The step's computing is over. */
    public void rest() {
        isComputing = false;
        settle();
    }

    /** What messages took of the quota beside a stretch of computing is paid when it is over. */
    private void settle() {
        if (owedNs > 0) {
            given(start(usedPeriod), owedNs);
            owedNs = 0;
        }
    }

    /** When a message that is here now has been dealt with, which takes so much of a core. */
    public double handled(double nowNs, double coreNs) {
        double from = Math.max(nowNs, freeNs);
        freeNs = quota == 1 ? from + coreNs : whenAwake(from, coreNs);
        return freeNs;
    }

    private double whenAwake(double nowNs, double coreNs) {
        if (!isComputing) {
            return given(nowNs, coreNs);
        }
        owedNs += coreNs;
        double period = period(nowNs);
        boolean isAwake = nowNs - start(period) < full();
        return (isAwake ? nowNs : start(period + 1)) + coreNs;
    }

    /** When so much of the core has been given that is asked for now: no period gives twice. */
    private double given(double nowNs, double coreNs) {
        double period = Math.max(period(nowNs), usedPeriod);
        double fromNs = Math.max(nowNs, start(period));
        double first = Math.min(start(period + 1) - fromNs, Math.max(0, full() - used(period)));
        if (coreNs <= first) {
            usedNs = used(period) + coreNs;
            usedPeriod = period;
            return fromNs + coreNs;
        }
        double left = coreNs - first;
        double whole = Math.ceil(left / full()) - 1;
        usedPeriod = period + 1 + whole;
        usedNs = left - whole * full();
        return start(usedPeriod) + usedNs;
    }

    private double full() {
        return quota * periodNs;
    }

    private double period(double ns) {
        return Math.floor((ns - phaseNs) / periodNs);
    }

    private double start(double period) {
        return phaseNs + period * periodNs;
    }

    private double used(double period) {
        return period == usedPeriod ? usedNs : period < usedPeriod ? full() : 0;
    }
}
