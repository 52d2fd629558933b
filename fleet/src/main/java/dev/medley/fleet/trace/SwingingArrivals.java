package dev.medley.fleet.trace;

import java.util.ArrayList;
import java.util.List;

/** Spreads arrivals over time at a rate that swings by the day. */
public final class SwingingArrivals {
    private static final double DAY_S = 86_400;

    private SwingingArrivals() {}

    /**
     * The same jobs at a rate that is higher in the first half of each day than in the second.
     *
     * @param unit jobs that arrive at one a second on average
     * @param perHour jobs on average
     * @param swing from 0 for none to below 1: so much more, and less, than the average
     */
    public static List<TraceJob> of(List<TraceJob> unit, double perHour, double swing) {
        List<TraceJob> trace = new ArrayList<>();
        double nowS = 0;
        double before = 0;
        for (TraceJob job : unit) {
            double left = job.arrivalS() - before;
            before = job.arrivalS();
            while (left > 0) {
                boolean isHigh = nowS % DAY_S < DAY_S / 2;
                double perS = perHour / 3600 * (isHigh ? 1 + swing : 1 - swing);
                double borderS = DAY_S / 2 - nowS % (DAY_S / 2);
                double spanS = Math.min(borderS, left / perS);
                // Half a day's border is reached exactly, so that it is not met twice.
                nowS =
                        spanS == borderS
                                ? Math.rint((nowS + spanS) / (DAY_S / 2)) * (DAY_S / 2)
                                : nowS + spanS;
                left = spanS == borderS ? left - spanS * perS : 0;
            }
            trace.add(job.at(nowS));
        }
        return trace;
    }
}
