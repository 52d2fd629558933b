package dev.medley.serving.route;

import dev.medley.base.Seeds;
import dev.medley.serving.load.LoadReport;
import dev.medley.serving.load.ServerLoad;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Plays servers of unlike speed on virtual time: each computes one request after the other, and is
 * asked for its load over a network that takes half a millisecond.
 */
final class PlayedFleet {
    private static final long HALF_WAY_NS = 250_000;
    private static final long MEAN_WORK_NS = 40_000_000; // At a server of speed 1.

    private final List<PlayedServer> servers = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final RandomGenerator random;
    private final List<Long> latencies = new ArrayList<>();
    private long nowNs = 1;
    private long order;

    /** Which server gets the next request. */
    interface Router {
        int next(PlayedFleet fleet);

        default void answered(PlayedFleet fleet, int server) {}
    }

    private record Event(long atNs, long order, Runnable run) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atNs != other.atNs
                    ? Long.compare(atNs, other.atNs)
                    : Long.compare(order, other.order);
        }
    }

    /** Computes one request after the other. */
    private static final class PlayedServer {
        private final ServerLoad load = new ServerLoad();
        private final Deque<Runnable> queue = new ArrayDeque<>();
        private double speed;
        private boolean isBusy;

        private PlayedServer(double speed) {
            this.speed = speed;
        }
    }

    PlayedFleet(long seed, double... speeds) {
        random = Seeds.generator(seed);
        for (double speed : speeds) {
            servers.add(new PlayedServer(speed));
        }
    }

    long nowNs() {
        return nowNs;
    }

    int size() {
        return servers.size();
    }

    double speed(int server) {
        return servers.get(server).speed;
    }

    void at(long delayNs, Runnable run) {
        events.add(new Event(nowNs + delayNs, order++, run));
    }

    /** From {@code atNs} on a server has another speed. */
    void slowed(int server, double speed, long atNs) {
        at(atNs, () -> servers.get(server).speed = speed);
    }

    /** Asks for a server's load; the answer comes a while later. */
    void ask(int server, Consumer<LoadReport> answer) {
        at(
                HALF_WAY_NS,
                () -> {
                    var report = servers.get(server).load.asked(LoadReport.READY, nowNs);
                    at(HALF_WAY_NS, () -> answer.accept(report));
                });
    }

    /** Sends requests at random times, at {@code load} of what all speeds could do. */
    List<Long> run(Router router, double load, long forNs) {
        double sum = servers.stream().mapToDouble(s -> s.speed).sum();
        double meanGapNs = MEAN_WORK_NS / (sum * load);
        arrive(router, meanGapNs, forNs);
        while (!events.isEmpty()) {
            Event event = events.poll();
            nowNs = event.atNs();
            event.run().run();
        }
        return latencies;
    }

    private void arrive(Router router, double meanGapNs, long untilNs) {
        if (nowNs > untilNs) {
            return;
        }
        at((long) exponential(meanGapNs), () -> arrive(router, meanGapNs, untilNs));
        if (nowNs == 1) {
            return;
        }
        long fromNs = nowNs;
        double work = exponential(MEAN_WORK_NS);
        int to = router.next(this);
        PlayedServer server = servers.get(to);
        at(
                HALF_WAY_NS,
                () -> {
                    ServerLoad.Request request = server.load.begin(null, nowNs);
                    server.queue.add(
                            () ->
                                    at(
                                            (long) (work / server.speed),
                                            () -> {
                                                request.answered(nowNs);
                                                server.isBusy = false;
                                                begin(server);
                                                at(
                                                        HALF_WAY_NS,
                                                        () -> {
                                                            router.answered(this, to);
                                                            latencies.add(nowNs - fromNs);
                                                        });
                                            }));
                    begin(server);
                });
    }

    private static void begin(PlayedServer server) {
        Runnable next = server.isBusy ? null : server.queue.poll();
        if (next != null) {
            server.isBusy = true;
            next.run();
        }
    }

    private double exponential(double mean) {
        return -mean * Math.log(1 - random.nextDouble());
    }

    /** One after the other. */
    static Router roundRobin() {
        int[] next = {0};
        return fleet -> next[0]++ % fleet.size();
    }

    /** By weights that are the true speeds at every moment, spread as evenly as they can be. */
    static Router oracleWeights() {
        double[] credit = new double[64];
        return fleet -> {
            int best = 0;
            double sum = 0;
            for (int i = 0; i < fleet.size(); i++) {
                credit[i] += fleet.speed(i);
                sum += fleet.speed(i);
                best = credit[i] > credit[best] ? i : best;
            }
            credit[best] -= sum;
            return best;
        };
    }

    /** The product's own table. */
    static final class ByTable implements Router {
        private final ReplicaTable table;
        private final List<Deque<ReplicaTable.Sent>> sent = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private @Nullable PlayedFleet started;

        ByTable(RouterSettings settings, long seed, int servers) {
            table = new ReplicaTable(settings, Seeds.generator(seed, 7));
            List<ReplicaAddress> addresses = new ArrayList<>();
            for (int i = 0; i < servers; i++) {
                ReplicaAddress address = new ReplicaAddress("s" + i, 1, false);
                addresses.add(address);
                names.add(address.toString());
                sent.add(new ArrayDeque<>());
            }
            table.replace(addresses);
        }

        @Override
        public int next(PlayedFleet fleet) {
            if (started == null) {
                started = fleet;
                table.probesWhenIdle(fleet.nowNs())
                        .forEach(
                                each ->
                                        table.probed(
                                                each,
                                                new ServerLoad()
                                                        .asked(LoadReport.READY, fleet.nowNs()),
                                                fleet.nowNs()));
            }
            ReplicaTable.Sent one = table.send(null, Set.of(), fleet.nowNs());
            if (one == null) {
                throw new IllegalStateException(table.missing(Set.of()));
            }
            int server = names.indexOf(one.name());
            sent.get(server).add(one);
            table.probesOfRequest(fleet.nowNs())
                    .forEach(
                            each ->
                                    fleet.ask(
                                            names.indexOf(each.name()),
                                            report -> table.probed(each, report, fleet.nowNs())));
            return server;
        }

        @Override
        public void answered(PlayedFleet fleet, int server) {
            table.answered(sent.get(server).remove(), true, fleet.nowNs());
        }
    }

    static long quantileNs(List<Long> latencies, double q) {
        List<Long> sorted = new ArrayList<>(latencies);
        Collections.sort(sorted);
        return sorted.get((int) Math.min(sorted.size() - 1, Math.ceil(q * sorted.size()) - 1));
    }
}
