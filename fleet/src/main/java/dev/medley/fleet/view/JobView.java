package dev.medley.fleet.view;

/**
 * Shows one job that waits or runs to a policy.
 *
 * @param id grows with arrival, so ties go to the smaller
 * @param kind jobs of one kind have the same rates: the model and its batch, or a job file's name
 * @param rates work a second by machine type, with {@code demand.minWorkers()} machines of that
 *     type; 0 where the job does not fit or was refused
 */
public record JobView(
        long id,
        String kind,
        Demand demand,
        Held holding,
        double[] rates,
        JobProgress progress,
        Terms terms) {
    /**
     * Holds what a job has now, by machine type.
     *
     * @param machines that it holds; all 0 while it waits
     * @param recentS seconds for which it held machines of a type since the set of jobs last
     *     changed: what round-based policies balance their shares by
     */
    public record Held(int[] machines, double[] recentS) {
        /** Nothing, for a job that just came. */
        public static Held none(int types) {
            return new Held(new int[types], new double[types]);
        }
    }

    /** Its highest rate over machine types; 0 if it fits nowhere. */
    public double bestRate() {
        double best = 0;
        for (double rate : rates) {
            best = Math.max(best, rate);
        }
        return best;
    }

    /** Whether it holds any machine. */
    public boolean runs() {
        for (int machines : holding.machines()) {
            if (machines > 0) {
                return true;
            }
        }
        return false;
    }
}
