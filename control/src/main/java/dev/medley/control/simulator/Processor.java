package dev.medley.control.simulator;

/**
 * The processor of a machine: when computing ends, and when a message is looked at.
 *
 * <p>Under a quota (CFS bandwidth control) the processes of a machine run in each period until its
 * quota is used up, and stand still until the next period begins. So who computes is asleep for a
 * part 1 - q of the time, and a message that comes meanwhile waits. What messages take of the quota
 * is not there for computing, which ends so much later. Without a quota messages have a core of
 * their own.
 */
final class Processor {
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
    Processor(Unrest unrest, double phase) {
        quota = unrest.quota();
        periodNs = unrest.periodNs();
        phaseNs = phase * periodNs;
    }

    /**
     * When a stretch of computing ends that begins now; {@code wallNs} is what it takes in the
     * mean, under the quota and with nothing else to do.
     */
    double compute(double nowNs, double wallNs) {
        isComputing = true;
        if (quota == 1) {
            return nowNs + wallNs;
        }
        double left = wallNs * quota + owedNs;
        owedNs = 0;
        double period = Math.max(period(nowNs), usedPeriod); // Messages may have used the first.
        double fromNs = Math.max(nowNs, start(period));
        double first = Math.min(start(period + 1) - fromNs, Math.max(0, full() - used(period)));
        if (left <= first) {
            use(period, left);
            return fromNs + left;
        }
        left -= first;
        double whole = Math.ceil(left / full()) - 1;
        double rest = left - whole * full();
        double last = period + 1 + whole;
        usedPeriod = last;
        usedNs = rest;
        return start(last) + rest;
    }

    /** The step's computing is over. */
    void rest() {
        isComputing = false;
    }

    /** When a message that is here now has been dealt with, which takes so much of a core. */
    double handled(double nowNs, double coreNs) {
        double from = Math.max(nowNs, freeNs);
        freeNs = quota == 1 ? from + coreNs : whenAwake(from, coreNs);
        return freeNs;
    }

    private double whenAwake(double nowNs, double coreNs) {
        double period = period(nowNs);
        if (isComputing) {
            owedNs += coreNs;
            boolean isAwake = nowNs - start(period) < full();
            return (isAwake ? nowNs : start(period + 1)) + coreNs;
        }
        if (used(period) + coreNs <= full()) {
            use(period, coreNs);
            return nowNs + coreNs;
        }
        double left = coreNs - (full() - used(period));
        double periods = Math.ceil(left / full());
        usedPeriod = period + periods;
        usedNs = left - (periods - 1) * full();
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

    private void use(double period, double ns) {
        usedNs = used(period) + ns;
        usedPeriod = period;
    }
}
