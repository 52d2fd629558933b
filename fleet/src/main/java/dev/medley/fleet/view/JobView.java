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
    /** The same under other terms. */
    public JobView with(Terms other) {
        return new JobView(id, kind, demand, rates, held, progress, other);
    }

    /** Its highest rate over machine types; 0 if it fits nowhere. */
    public double bestRate() {
        double best = 0;
        for (double rate : rates) {
            best = Math.max(best, rate);
        }
        return best;
    }

    /**
     * Work a second with machines of types: the sum of their rates, less {@code loss} for each
     * beyond the least, and no faster than they can talk: {@code 1 / (1/rate + 1/exchange rate)}.
     */
    public double speed(int[] machines, double loss) {
        double rate = 0;
        int count = 0;
        for (int type = 0; type < machines.length; type++) {
            rate += machines[type] * rates[type] / demand.minWorkers();
            count += machines[type];
        }
        int beyond = Math.max(0, count - demand.minWorkers());
        double lessened = rate / (1 + loss * beyond);
        boolean isAlone = beyond == 0 || Double.isInfinite(demand.exchangeRate());
        return isAlone ? lessened : 1 / (1 / lessened + 1 / demand.exchangeRate());
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
