package dev.medley.fleet.hub;

import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * Learns from how fast a job goes on the machines that it has. On its least machines, of one type,
 * that is the type's rate. On more, what lacks to the sum of their rates is what talking costs:
 * {@code 1/speed = 1/sum of rates + 1/exchange rate}. A slower figure than before counts a fifth, a
 * faster one at once: what is new only ever begins slowly, while code is compiled and caches are
 * cold.
 *
 * @param rates samples a second of one machine by type, all that are known of the job
 * @param news those that differ by more than a twentieth
 * @param exchangeRate samples a second; infinite while unknown
 */
public record MeasuredSpeed(
        Map<String, Double> rates, Map<String, Double> news, double exchangeRate) {
    private static final double SLOWER = 0.2;
    private static final double WORTH_TELLING = 0.05;

    /** An exchange that takes less than a fortieth of the time is not felt. */
    private static final double FREE = 40;

    public MeasuredSpeed {
        rates = Map.copyOf(rates);
        news = Map.copyOf(news);
    }

    /**
     * What is known of a job after some seconds more.
     *
     * @param names of the machines that took part
     * @param perSecond samples of all of them together; 0 where nothing was done
     */
    public static MeasuredSpeed of(
            FleetState state, FleetJob job, List<String> names, double perSecond) {
        Map<String, Double> rates = new HashMap<>(job.measure().rates());
        double exchangeRate = job.measure().exchangeRate();
        List<FleetMachine> machines = new ArrayList<>();
        HashSet<String> types = new HashSet<>();
        for (String name : names) {
            FleetMachine machine = state.machine(name);
            if (machine != null) {
                machines.add(machine);
                types.add(machine.type());
            }
        }
        if (perSecond <= 0 || machines.isEmpty() || machines.size() < names.size()) {
            return new MeasuredSpeed(rates, Map.of(), exchangeRate);
        }
        int least = job.request().minMachines();
        if (machines.size() <= least && types.size() == 1) {
            String type = machines.get(0).type();
            rates.merge(type, perSecond / machines.size(), MeasuredSpeed::smooth);
        } else if (isKnown(state, job)) {
            double sum = sum(state, job, machines);
            double lacks = 1 / perSecond - 1 / sum;
            double now = lacks > 0 ? Math.min(1 / lacks, FREE * sum) : FREE * sum;
            exchangeRate = Double.isInfinite(exchangeRate) ? now : smooth(exchangeRate, now);
        } else {
            double speeds = 0;
            for (FleetMachine machine : machines) {
                speeds += speed(machine);
            }
            for (FleetMachine machine : machines) {
                rates.put(machine.type(), perSecond * speed(machine) / speeds);
            }
        }
        return new MeasuredSpeed(rates, news(job.measure().rates(), rates), exchangeRate);
    }

    private static double smooth(double before, double now) {
        return now > before ? now : before + SLOWER * (now - before);
    }

    private static boolean isKnown(FleetState state, FleetJob job) {
        return !job.measure().rates().isEmpty()
                || state.rates().stream()
                        .anyMatch(rate -> rate.kind().equals(job.request().kind()));
    }

    private static double sum(FleetState state, FleetJob job, List<FleetMachine> machines) {
        FleetViews views = FleetViews.of(state);
        double[] byType = views.rates(job);
        double sum = 0;
        for (FleetMachine machine : machines) {
            sum += byType[views.types().indexOf(machine.type())];
        }
        return sum;
    }

    private static double speed(FleetMachine machine) {
        double speed = machine.seen().speed();
        return speed > 0 ? speed : 1;
    }

    private static Map<String, Double> news(Map<String, Double> before, Map<String, Double> now) {
        Map<String, Double> news = new HashMap<>();
        now.forEach(
                (type, rate) -> {
                    Double old = before.get(type);
                    if (old == null || Math.abs(rate / old - 1) > WORTH_TELLING) {
                        news.put(type, rate);
                    }
                });
        return news;
    }
}
