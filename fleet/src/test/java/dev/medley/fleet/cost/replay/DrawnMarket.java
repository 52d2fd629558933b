package dev.medley.fleet.cost.replay;

import dev.medley.base.Seeds;
import dev.medley.fleet.cost.market.SpotGrid;
import dev.medley.fleet.cost.spot.SpotJob;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws markets in which spot machines come and go, and jobs that can just be done there. */
record DrawnMarket(SpotGrid grid, SpotJob job) {
    static final double STEP_S = 600;

    /** One to three zones of two regions, {@code steps} long. */
    static DrawnMarket of(long seed, int steps, int workSteps) {
        RandomGenerator random = Seeds.generator(seed, steps);
        List<SpotGrid.Zone> zones = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            double[] price = new double[steps];
            boolean[] up = new boolean[steps];
            double changes = 0.02 + 0.4 * random.nextDouble();
            boolean isUp = random.nextBoolean();
            double now = 0.5 + random.nextDouble();
            for (int step = 0; step < steps; step++) {
                isUp ^= random.nextDouble() < changes;
                now *= random.nextInt(8) == 0 ? Math.exp(0.2 * random.nextGaussian()) : 1;
                up[step] = isUp;
                price[step] = now;
            }
            String region = "r" + random.nextInt(2);
            double onDemand = 2 + 2 * random.nextDouble();
            zones.add(new SpotGrid.Zone("zone-" + i, region, onDemand, price, up));
        }
        int restart = random.nextInt(4);
        int deadline = workSteps + restart + random.nextInt(steps - workSteps - restart);
        double egress = random.nextBoolean() ? 0 : random.nextDouble();
        SpotJob job =
                new SpotJob(
                        workSteps * STEP_S, deadline * STEP_S, STEP_S, restart * STEP_S, egress);
        return new DrawnMarket(new SpotGrid(STEP_S, steps, zones), job);
    }
}
