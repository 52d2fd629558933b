package dev.medley.hub.agent;

import dev.medley.api.agent.AgentRun;
import dev.medley.api.run.RunOptions;
import dev.medley.base.ConfigException;
import dev.medley.base.Version;
import dev.medley.base.time.Clock;
import dev.medley.hub.client.HubAwayException;
import dev.medley.hub.service.AgentOrders;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.HubService;
import dev.medley.profile.machine.KnownMachine;
import dev.medley.profile.machine.MachineProbe;
import dev.medley.profile.machine.MachineProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stays with a hub: says once a second how the machine is, and serves the runs that the hub names,
 * no others. Orders are whole, so one that was missed costs nothing. A run that is no longer named
 * is left after its step; only then another is joined. While the hub is away, or not there yet, it
 * waits for it and serves what it serves.
 *
 * <p>{@link #run} belongs to one thread; {@link #leave} may be called from any.
 */
public final class FleetAgent {
    private static final long REPORT_MILLIS = 1000;
    private static final double LOOK_EVERY_S = 60;
    private static final double REJOIN_S = 5;

    private final Supplier<HubService> hubs;
    private final String hubHost;
    private final FleetAgentOptions options;
    private final Consumer<String> says;
    private final Clock clock;
    private final KnownMachine machine;
    private final Map<Long, ServedRun> served = new TreeMap<>();
    private final Map<String, Long> overNs = new TreeMap<>();
    private final CountDownLatch left = new CountDownLatch(1);
    private MachineProfile profile;
    private long lookedNs;
    private @Nullable HubService hub;
    private boolean wasThere;
    private long awayNs;
    private boolean isAway;

    /**
     * An agent that has not begun.
     *
     * @param hubs finds the hub, when it is asked first and after it was away; a {@link
     *     HubAwayException} says that it is not there yet
     * @param hubHost at which the hub's machine is reached from here
     * @param says what it sees, a sentence at a time; from several threads
     */
    public FleetAgent(
            Supplier<HubService> hubs,
            String hubHost,
            FleetAgentOptions options,
            Consumer<String> says,
            Clock clock) {
        this.hubs = hubs;
        this.hubHost = hubHost;
        this.options = options;
        this.says = says;
        this.clock = clock;
        MachineProbe probe = new MachineProbe(clock, options.runs().folder(), List.of());
        machine = new KnownMachine(probe, RunOptions.defaultCache(), clock);
        profile = machine.look();
        lookedNs = clock.nowNs();
    }

    /**
     * Serves until it is asked to leave.
     *
     * @throws ConfigException if the hub refuses this machine, or none is there for too long
     */
    public void run() throws InterruptedException {
        try {
            do {
                report();
            } while (!left.await(REPORT_MILLIS, TimeUnit.MILLISECONDS));
        } finally {
            served.values().forEach(ServedRun::leave);
            for (ServedRun run : served.values()) {
                run.await();
            }
        }
    }

    /** Asks for the end: after the steps under way; a second time: at once. From any thread. */
    public void leave() {
        boolean isSecond = left.getCount() == 0;
        left.countDown();
        if (isSecond) {
            synchronized (served) {
                served.values().forEach(ServedRun::leave);
            }
        }
    }

    private void report() {
        if (clock.nowNs() - lookedNs > LOOK_EVERY_S * 1e9) {
            profile = machine.look();
            lookedNs = clock.nowNs();
        }
        sweep();
        try {
            HubService found = hub == null ? hubs.get() : hub;
            AgentOrders orders =
                    found.report(
                            new AgentReport(
                                    options.runs().name(),
                                    options.runs().site(),
                                    Version.build(),
                                    options.offer().of(profile),
                                    List.copyOf(served.keySet()),
                                    leavingInS()));
            ConfigException.check(orders.refused().isEmpty(), "%s", orders.refused());
            if (!wasThere) {
                says.accept(
                        "%s stays with the hub at %s:%d"
                                .formatted(
                                        options.runs().name(),
                                        hubHost,
                                        options.runs().coordinator().getPort()));
            } else if (isAway) {
                says.accept("the hub is there again");
            }
            hub = found;
            wasThere = true;
            isAway = false;
            follow(orders);
        } catch (HubAwayException e) {
            hub = null; // Its token may be another one when it is there again.
            away(e);
        }
    }

    private void away(HubAwayException why) {
        if (!isAway) {
            isAway = true;
            awayNs = clock.nowNs();
            says.accept(
                    why.getMessage()
                            + (wasThere
                                    ? "; what is served goes on"
                                    : "; %s waits for it".formatted(options.runs().name())));
        }
        double forS = (clock.nowNs() - awayNs) / 1e9;
        if (forS >= options.patienceS() && served.isEmpty()) {
            throw new ConfigException(
                    "%s waited %.0f s (--wait-s) for the hub: %s"
                            .formatted(options.runs().name(), forS, why.getMessage()),
                    why);
        }
    }

    private void sweep() {
        synchronized (served) {
            for (ServedRun run : List.copyOf(served.values())) {
                if (run.isOver()) {
                    served.values().remove(run);
                    overNs.put(run.address(), clock.nowNs());
                }
            }
        }
        overNs.values().removeIf(at -> clock.nowNs() - at > REJOIN_S * 1e9);
    }

    /** The hub may not know yet that the run is over. */
    private boolean isJustOver(String address) {
        return overNs.containsKey(address);
    }

    private void follow(AgentOrders orders) {
        List<Long> named = orders.serve().stream().map(AgentOrders.Service::job).toList();
        List<Long> others = new ArrayList<>(served.keySet());
        others.removeAll(named);
        for (long job : others) {
            ServedRun run = served.get(job);
            if (run != null) {
                run.leaveOnce();
            }
        }
        if (!others.isEmpty()) {
            return;
        }
        for (AgentOrders.Service order : orders.serve()) {
            ServedRun running = served.get(order.job());
            if (running != null && !running.address().equals(order.address())) {
                running.leaveOnce();
            } else if (running == null && !isJustOver(order.address())) {
                start(order);
            }
        }
    }

    private void start(AgentOrders.Service order) {
        says.accept("serves job %d at %s".formatted(order.job(), order.address()));
        AgentRun run = AgentRun.of(options.at(order.address(), hubHost), says);
        synchronized (served) {
            served.put(order.job(), ServedRun.start(order, run, says));
        }
    }

    private double leavingInS() {
        Path warning = options.warning();
        if (left.getCount() == 0) {
            return 0;
        }
        if (warning == null || !Files.exists(warning)) {
            return -1;
        }
        try {
            String seconds = Files.readString(warning).strip();
            return seconds.isEmpty() ? 120 : Math.max(0, Double.parseDouble(seconds));
        } catch (IOException | NumberFormatException e) {
            return 120;
        }
    }
}
