package dev.medley.fleet.cost.replay;

import dev.medley.fleet.cost.market.SpotGrid;
import dev.medley.fleet.cost.spot.SpotJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes what a job costs at least by its deadline for somebody who knows the whole log, under
 * the rules of {@link SpotReplay}: the yardstick of all policies, which none of them can beat.
 *
 * <p>Dynamic programming from the deadline back, exact on the log's steps. Over steps t, steps of
 * work left k, and where the job is: {@code C(t, k, place) = min(wait, stay, start elsewhere)},
 * with {@code C(t, 0, .) = 0} and {@code C(T, k > 0, .)} infinite. A place is a region without a
 * machine, or a machine with the steps of its restart left. With Z zones and H steps of a restart,
 * time is {@code T k Z (H + regions)}.
 */
public final class ClairvoyantOptimum {
    private final SpotGrid grid;
    private final SpotJob job;
    private final int restartSteps;
    private final int depth;
    private final int regions;
    private final int machines;
    private final int[] regionOf;

    private ClairvoyantOptimum(SpotGrid grid, SpotJob job) {
        this.grid = grid;
        this.job = job;
        this.restartSteps = (int) Math.round(job.restartS() / grid.stepS());
        this.depth = Math.max(1, restartSteps);
        this.machines = 2 * grid.zones().size();
        List<String> names = new ArrayList<>();
        this.regionOf = new int[machines];
        for (int zone = 0; zone < grid.zones().size(); zone++) {
            String region = grid.zones().get(zone).region();
            if (!names.contains(region)) {
                names.add(region);
            }
            regionOf[2 * zone] = names.indexOf(region);
            regionOf[2 * zone + 1] = names.indexOf(region);
        }
        this.regions = names.size();
    }

    /** The least cost of a job that begins at {@code firstStep}; infinite if it cannot be done. */
    public static double of(SpotGrid grid, int firstStep, SpotJob job) {
        return new ClairvoyantOptimum(grid, job).cost(firstStep);
    }

    /** Places: regions, then nowhere, then machines with each number of restart steps left. */
    private double cost(int firstStep) {
        int steps = (int) Math.floor(job.deadlineS() / grid.stepS());
        steps = Math.min(steps, grid.stepCount() - firstStep);
        int work = (int) Math.ceil(job.workS() / grid.stepS());
        int places = regions + 1 + machines * depth;
        double[][] next = new double[work + 1][places];
        double[][] now = new double[work + 1][places];
        for (int left = 1; left <= work; left++) {
            Arrays.fill(next[left], Double.POSITIVE_INFINITY);
        }
        double[] price = new double[machines];
        for (int step = steps - 1; step >= 0; step--) {
            prices(firstStep + step, price);
            // Before this step no more than `step` of the work can be done.
            for (int left = Math.max(1, work - step); left <= work; left++) {
                row(left, price, next, now[left]);
            }
            double[][] swapped = next;
            next = now;
            now = swapped;
        }
        return next[work][regions];
    }

    /** Of each machine in one step; infinite where there is none. */
    private void prices(int step, double[] price) {
        double hours = grid.stepS() / 3600;
        for (int zone = 0; zone < grid.zones().size(); zone++) {
            SpotGrid.Zone row = grid.zones().get(zone);
            price[2 * zone] =
                    row.up()[step] ? row.spotPerHour()[step] * hours : Double.POSITIVE_INFINITY;
            price[2 * zone + 1] = row.onDemandPerHour() * hours;
        }
    }

    private void row(int left, double[] price, double[][] next, double[] now) {
        int started = restartSteps == 0 ? left - 1 : left;
        double[] start = new double[machines];
        double cheapest = Double.POSITIVE_INFINITY;
        for (int machine = 0; machine < machines; machine++) {
            start[machine] = price[machine] + next[started][at(machine, depth - 1)];
            cheapest = Math.min(cheapest, start[machine]);
        }
        now[regions] = Math.min(next[left][regions], cheapest);
        for (int region = 0; region < regions; region++) {
            double best = Math.min(next[left][region], cheapest + job.egress());
            for (int machine = 0; machine < machines; machine++) {
                if (regionOf[machine] == region) {
                    best = Math.min(best, start[machine]);
                }
            }
            now[region] = best;
        }
        for (int machine = 0; machine < machines; machine++) {
            for (int restart = 0; restart < depth; restart++) {
                double stay =
                        restart == 0
                                ? next[left - 1][at(machine, 0)]
                                : next[left][at(machine, restart - 1)];
                now[at(machine, restart)] = Math.min(price[machine] + stay, now[regionOf[machine]]);
            }
        }
    }

    private int at(int machine, int restartLeft) {
        return regions + 1 + machine * depth + restartLeft;
    }
}
