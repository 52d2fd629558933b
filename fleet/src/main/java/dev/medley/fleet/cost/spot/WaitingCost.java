package dev.medley.fleet.cost.spot;

import java.util.Arrays;

/**
 * Computes what a job is expected to cost until its deadline after each of three choices now, by
 * dynamic programming over a market without memory.
 *
 * <p>Time until the deadline is cut into at most {@value #SLICES} slices. Over slices t left and
 * work k left (in slices, interpolated), where the job is (without a machine, on demand, on spot)
 * and whether the market is up, {@code C = min over choices of price + E[C after the slice]}. A
 * start adds its restart to the work left. Work left at the deadline costs {@value #PENALTY} times
 * the on-demand price.
 *
 * @param waiting without a machine
 * @param onDemand on the cheapest machine on demand
 * @param spot on a spot machine; infinite where none is up
 */
record WaitingCost(double waiting, double onDemand, double spot) {
    private static final int SLICES = 64;
    private static final int PENALTY = 20;

    // The market, and where the job is in it.
    private static final int NONE_DOWN_NOW = 0;
    private static final int NONE_DOWN = 1;
    private static final int NONE_UP = 2;
    private static final int DEMAND_DOWN_NOW = 3;
    private static final int DEMAND_DOWN = 4;
    private static final int DEMAND_UP = 5;
    private static final int SPOT_UP = 6;
    private static final int PLACES = 7;

    /** The costs of the three choices in {@code state}. */
    static WaitingCost of(SpotState state, SpotOutlook outlook) {
        double leftS = state.job().deadlineS() - state.nowS();
        int slices = (int) Math.max(1, Math.min(SLICES, Math.floor(leftS / state.job().stepS())));
        return new Programme(state, outlook, slices, leftS / slices).costs();
    }

    /** Tables of one computation. */
    private static final class Programme {
        private final SpotState state;
        private final int slices;
        private final double restart;
        private final double demandPrice;
        private final double spotPrice;
        private final double penalty;
        private final double lost;
        private final double otherUp;
        private final double up;
        private final double laterUp;
        private final double work;
        private double[][] next;

        Programme(SpotState state, SpotOutlook outlook, int slices, double sliceS) {
            this.state = state;
            this.slices = slices;
            this.restart = state.job().restartS() / sliceS;
            this.demandPrice = state.perHour(state.cheapestOnDemand()) * sliceS / 3600;
            this.spotPrice = outlook.spotPerHour() * sliceS / 3600;
            this.penalty = PENALTY * demandPrice;
            this.lost = 1 - Math.exp(-outlook.lostPerS() * sliceS);
            this.otherUp = outlook.otherUp();
            this.up = 1 - Math.exp(-outlook.upPerS() * sliceS);
            this.laterUp = 1 - Math.exp(-outlook.laterUpPerS() * sliceS);
            this.work = state.remainingS() / sliceS;
            this.next = new double[PLACES][(int) Math.ceil(work + 2 * restart) + 2];
        }

        WaitingCost costs() {
            int rows = next[0].length;
            for (double[] place : next) {
                for (int left = 0; left < rows; left++) {
                    place[left] = left * penalty;
                }
            }
            double[][] now = new double[PLACES][rows];
            for (int slice = 1; slice < slices; slice++) {
                for (int left = 1; left < rows; left++) {
                    fill(now, left);
                }
                Arrays.stream(now).forEach(place -> place[0] = 0);
                double[][] swapped = next;
                next = now;
                now = swapped;
            }
            boolean onDemand = state.held().kind() == SpotPlace.Kind.ON_DEMAND;
            boolean isUp = state.quotes().stream().anyMatch(SpotQuote::up);
            int market = isUp ? NONE_UP : NONE_DOWN_NOW;
            double overhead = onDemand ? restart * state.restartLeftS() : 0;
            double left =
                    onDemand && state.job().restartS() > 0
                            ? work + overhead / state.job().restartS()
                            : work;
            return new WaitingCost(
                    waiting(market, work),
                    demand(market, onDemand ? left : work + restart),
                    isUp ? spot(work + restart) : Double.POSITIVE_INFINITY);
        }

        private void fill(double[][] now, double left) {
            int row = (int) left;
            double spot = spot(left + restart);
            for (int market = NONE_DOWN_NOW; market <= NONE_UP; market++) {
                double wait = waiting(market, left);
                double start = demand(market, left + restart);
                double other = market == NONE_UP ? Math.min(wait, spot) : wait;
                now[market][row] = Math.min(other, start);
                now[DEMAND_DOWN_NOW + market][row] = Math.min(other, demand(market, left));
            }
            now[SPOT_UP][row] = Math.min(spot(left), now[NONE_UP][row]);
        }

        private double waiting(int market, double left) {
            return expected(NONE_DOWN_NOW, market, left);
        }

        private double demand(int market, double left) {
            return demandPrice * Math.min(1, left) + expected(DEMAND_DOWN_NOW, market, left - 1);
        }

        private double spot(double left) {
            double after = left - 1;
            return spotPrice * Math.min(1, left)
                    + (1 - lost) * at(SPOT_UP, after)
                    + lost * (otherUp * at(NONE_UP, after) + (1 - otherUp) * at(NONE_DOWN, after));
        }

        /** Over what the market does in a slice; {@code first} is the first of three places. */
        private double expected(int first, int market, double left) {
            double goesUp = market == NONE_DOWN_NOW ? up : laterUp;
            double goesDown = lost * (1 - otherUp);
            return market == NONE_UP
                    ? (1 - goesDown) * at(first + NONE_UP, left)
                            + goesDown * at(first + NONE_DOWN, left)
                    : goesUp * at(first + NONE_UP, left) + (1 - goesUp) * at(first + market, left);
        }

        private double at(int place, double left) {
            double[] row = next[place];
            if (left <= 0) {
                return 0;
            }
            int below = (int) left;
            if (below >= row.length - 1) {
                return row[row.length - 1] + (left - row.length + 1) * penalty;
            }
            double part = left - below;
            return (1 - part) * row[below] + part * row[below + 1];
        }
    }
}
