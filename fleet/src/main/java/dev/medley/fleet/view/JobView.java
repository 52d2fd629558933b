package dev.medley.fleet.view;

/**
 * Shows one job that waits or runs to a policy.
 *
 * @param id grows with arrival, so ties go to the smaller
 * @param kind jobs of one kind have the same rates: the model and its batch, or a job file's name
 * @param rates work a second by machine type, with {@code demand.minWorkers()} machines of that
 *     type; 0 where the job does not fit or was refused
 * @param held machines by type that it holds now; all 0 while it waits
 */
public record JobView(
        long id,
        String kind,
        Demand demand,
        double[] rates,
        int[] held,
        JobProgress progress,
        Terms terms) {
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
        for (int machines : held) {
            if (machines > 0) {
                return true;
            }
        }
        return false;
    }

    /** Remaining seconds on machines of a type; NaN where its size was not declared. */
    public double remainingS(int type) {
        return progress.remainingWork() / rates[type];
    }
}
