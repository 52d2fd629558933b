package dev.medley.fleet.hub;

import dev.medley.base.text.Units;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.state.Tenure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Says what it costs to bring a job's data to a machine: nothing where they lie, nothing where a
 * job of its kind left them, else what the way to the machine's site costs.
 */
final class EgressCosts {
    private final FleetState state;
    private final EgressPrices prices;

    EgressCosts(FleetState state, EgressPrices prices) {
        this.state = state;
        this.prices = prices;
    }

    /** Whether a job of the same kind left its data on a machine. */
    boolean isThere(FleetJob job, FleetMachine machine) {
        return state.hasServed(job.request().kind(), machine.name());
    }

    /** To one machine. */
    double of(FleetJob job, FleetMachine machine) {
        boolean isPriced = prices.areKnown() && !isThere(job, machine);
        return isPriced ? prices.of(job.request().data().bytes(), machine.site()) : 0;
    }

    /** To several. */
    double of(FleetJob job, List<String> machines) {
        double sum = 0;
        for (String name : machines) {
            FleetMachine machine = state.machine(name);
            sum += machine == null ? 0 : of(job, machine);
        }
        return sum;
    }

    /**
     * By job and type, to as many machines as the job needs at least, the cheapest that are free or
     * its own; where too few are, of all. Jobs that pay nothing anywhere are left out.
     */
    Map<Long, double[]> byType(List<String> types) {
        Map<Long, double[]> byJob = new TreeMap<>();
        for (FleetJob job : prices.areKnown() ? state.liveJobs() : List.<FleetJob>of()) {
            double[] pays = new double[types.size()];
            double most = 0;
            for (int type = 0; type < pays.length && job.wantsMachines(); type++) {
                pays[type] = least(job, types.get(type));
                most = Math.max(most, pays[type]);
            }
            if (most > 0) {
                byJob.put(job.id(), pays);
            }
        }
        return byJob;
    }

    private double least(FleetJob job, String type) {
        List<Double> free = new ArrayList<>();
        List<Double> all = new ArrayList<>();
        for (FleetMachine machine : state.machines()) {
            if (machine.isUsable() && machine.type().equals(type)) {
                double cost = of(job, machine);
                all.add(cost);
                Tenure tenure = state.tenureOf(machine.name());
                if (tenure == null || tenure.job() == job.id()) {
                    free.add(cost);
                }
            }
        }
        int wanted = job.request().minMachines();
        return (free.size() >= wanted ? free : all)
                .stream().sorted().limit(wanted).mapToDouble(cost -> cost).sum();
    }

    /** What its owner should know: the way to each site, the cheapest first; else empty. */
    String sentence(FleetJob job) {
        long bytes = job.request().data().bytes();
        TreeMap<String, Double> sites = new TreeMap<>();
        for (FleetMachine machine : state.machines()) {
            if (machine.isUsable()) {
                sites.merge(machine.site(), of(job, machine), Math::min);
            }
        }
        if (!prices.areKnown() || sites.isEmpty()) {
            return "";
        }
        if (bytes == 0) {
            return "How large its data are is not known, so what it costs to bring them to another"
                    + " site is not weighed.";
        }
        List<Map.Entry<String, Double>> cheapest = new ArrayList<>(sites.entrySet());
        cheapest.sort(Map.Entry.comparingByValue());
        List<String> parts = new ArrayList<>();
        cheapest.forEach(site -> parts.add(part(site.getKey(), site.getValue())));
        return "Its data, %s at %s, cost in egress: %s."
                .formatted(Units.bytes(bytes), prices.home(), String.join(", ", parts));
    }

    private String part(String site, double cost) {
        String amount = cost == 0 ? "none" : amount(cost);
        return "on %s %s%s"
                .formatted(
                        site.isEmpty() ? "no site" : site,
                        amount,
                        prices.isKnown(site) ? "" : " (nobody said its price: as the dearest)");
    }

    /** As much of a small amount as there is to see. */
    static String amount(double cost) {
        return String.format(Locale.ROOT, cost < 0.01 ? "%.2g" : "%.2f", cost);
    }
}
