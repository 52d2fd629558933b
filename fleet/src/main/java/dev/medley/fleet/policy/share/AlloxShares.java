package dev.medley.fleet.policy.share;

import dev.medley.fleet.assignment.Hungarian;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Queues jobs at the free machines so that the sum of their completion times is least. The first of
 * each queue runs to its end. The k-th job from the end of a queue delays k jobs, so its place
 * costs k times its processing time (Le, Sun, Chowdhury, Liu: AlloX, EuroSys 2020). Machines of a
 * type are alike, so a place of a type is offered as often as it has free machines.
 */
record AlloxShares() implements ShareRule {
    private static final double NEVER = 1e10;

    @Override
    public String name() {
        return "allox";
    }

    @Override
    public Shares shares(FleetView view, Shares before) {
        int types = view.types().size();
        int[] free = new int[types];
        for (int type = 0; type < types; type++) {
            free[type] = view.types().get(type).machines();
        }
        Map<Long, double[]> shares = new HashMap<>();
        List<JobView> waiting = new ArrayList<>();
        for (JobView job : view.jobs()) {
            double[] own = before.byJob().get(job.id());
            int type = own == null ? -1 : given(own);
            if (type >= 0) {
                shares.put(job.id(), own);
                free[type] -= job.demand().minWorkers();
            } else {
                shares.put(job.id(), new double[types]);
                waiting.add(job);
            }
        }
        List<Place> places = places(free, waiting.size());
        if (!places.isEmpty()) {
            assign(waiting, places, shares);
        }
        return new Shares(shares);
    }

    private static int given(double[] shares) {
        for (int type = 0; type < shares.length; type++) {
            if (shares[type] == 1) {
                return type;
            }
        }
        return -1;
    }

    /** A place in the queue of a machine, counted from its end. */
    record Place(int type, int machine, int fromEnd) {}

    /**
     * All that a best assignment could use: a place further from the end costs more, so of equal
     * machines none has one before all others have those behind it, and jobs fill no more of them.
     */
    static List<Place> places(int[] free, int jobs) {
        List<Place> places = new ArrayList<>();
        for (int fromEnd = 1; fromEnd <= jobs; fromEnd++) {
            for (int type = 0; type < free.length; type++) {
                int machines = Math.min(free[type], jobs);
                boolean isUsed = (long) (fromEnd - 1) * machines < jobs;
                for (int machine = 0; isUsed && machine < machines; machine++) {
                    places.add(new Place(type, machine, fromEnd));
                }
            }
        }
        return places;
    }

    private static void assign(
            List<JobView> waiting, List<Place> places, Map<Long, double[]> shares) {
        double[][] cost = new double[waiting.size()][places.size()];
        for (int row = 0; row < cost.length; row++) {
            JobView job = waiting.get(row);
            for (int column = 0; column < places.size(); column++) {
                Place place = places.get(column);
                double rate = job.rates()[place.type()];
                double work = job.progress().remainingWork();
                cost[row][column] = place.fromEnd() * (rate > 0 ? work / rate : work * NEVER);
            }
        }
        int[] placeOf = Hungarian.minimum(cost);
        Map<String, Integer> first = new HashMap<>();
        for (int row = 0; row < placeOf.length; row++) {
            Place place = places.get(placeOf[row]);
            String machine = place.type() + ":" + place.machine();
            Integer other = first.get(machine);
            if (other == null || places.get(placeOf[other]).fromEnd() < place.fromEnd()) {
                first.put(machine, row);
            }
        }
        first.values()
                .forEach(
                        row -> {
                            JobView job = waiting.get(row);
                            double[] own = shares.get(job.id());
                            int type = places.get(placeOf[row]).type();
                            if (own != null && job.rates()[type] > 0) {
                                own[type] = 1;
                            }
                        });
    }
}
