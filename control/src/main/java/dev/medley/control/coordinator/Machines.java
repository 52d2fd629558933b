package dev.medley.control.coordinator;

import dev.medley.base.time.Clock;
import dev.medley.control.launcher.AgentLauncher;
import dev.medley.control.launcher.JoinCommand;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import dev.medley.net.control.ProtocolException;
import dev.medley.plan.policy.FirstGroupPolicy;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the machines that agents offer to a run: which have joined, which are gone, and how long to
 * wait for more. Where workers are processes of this machine it knows nothing and waits for nobody.
 * Owned by the coordinator's agent.
 */
final class Machines {
    private static final int MOST_REFUSALS = 20;
    private static final long REFUSAL_PAUSE_NS = TimeUnit.MINUTES.toNanos(1);

    private final @Nullable AgentLauncher agents;
    private final CoordinatorOptions options;
    private final RunWatcher watcher;
    private final Clock clock;
    private String address = "";
    private String command = "";
    private long waitingSinceNs;
    private long refusals;
    private long refusedNs;
    private int enough;

    /** What follows from an agent's words. */
    sealed interface Consequence {
        /** There is room for one more worker. */
        record Room() implements Consequence {}

        /** The worker of this launch is to leave. */
        record Leave(int launch, String why) implements Consequence {}

        /** The process of this launch has begun. */
        record Begun(int launch) implements Consequence {}

        /** Nothing. */
        record None() implements Consequence {}
    }

    Machines(Launcher launcher, CoordinatorOptions options, RunWatcher watcher, Clock clock) {
        this.agents = launcher instanceof AgentLauncher offered ? offered : null;
        this.options = options;
        this.watcher = watcher;
        this.clock = clock;
        this.enough = FirstGroupPolicy.least(options.cluster().workers(), options.begin());
    }

    /** Whether workers run on machines that agents offer. */
    boolean areOffered() {
        return agents != null;
    }

    /** Agents join here. */
    void listening(InetSocketAddress at) {
        address = at.getAddress().getHostAddress() + ":" + at.getPort();
        command = JoinCommand.at(at);
        waitingSinceNs = clock.awakeNs();
        if (agents != null) {
            watcher.listening(at);
        }
    }

    /** A group has formed: nobody is waited for, and one machine is enough for the next. */
    void formed() {
        enough = 1;
        waitingSinceNs = Long.MAX_VALUE;
    }

    /** All workers are lost: machines are waited for anew. */
    void lostAll() {
        if (waitingSinceNs == Long.MAX_VALUE) {
            waitingSinceNs = clock.awakeNs();
        }
    }

    /** Shows all agents a sign of life. */
    void beat() {
        if (agents != null) {
            agents.connections().forEach(c -> c.send(new Message.Beat(0)));
        }
    }

    /** An agent says something. */
    Consequence hear(ControlConnection from, Message.FromAgent message) {
        if (agents == null) {
            throw new ProtocolException("an agent where no machines join");
        }
        ProtocolException.check(
                agents.knows(from) != message instanceof Message.Offer,
                "an agent says %s out of order",
                message.getClass().getSimpleName());
        agents.heard(from, clock.awakeNs());
        if (message instanceof Message.Offer offer) {
            String why = agents.enlist(from, offer, clock.wallMillis(), clock.awakeNs());
            if (why != null) {
                refused(why);
                return new Consequence.None();
            }
            tell(offer.name() + site(offer) + " has joined");
            return new Consequence.Room();
        } else if (message instanceof Message.Exited exited) {
            agents.exited(from, exited);
        } else if (message instanceof Message.Started started) {
            if (agents.started(from, started.launch())) {
                return new Consequence.Begun(started.launch());
            }
        } else if (message instanceof Message.Leaving leaving) {
            Integer launch = agents.leaving(from);
            if (launch != null) {
                return new Consequence.Leave(launch, leaving.why());
            }
        }
        return new Consequence.None();
    }

    /** Told at once while they are few, and then once a minute: agents try again and again. */
    private void refused(String why) {
        long nowNs = clock.awakeNs();
        if (refusals < MOST_REFUSALS || nowNs - refusedNs > REFUSAL_PAUSE_NS) {
            watcher.warned("A machine was refused: " + why);
            refusedNs = nowNs;
        }
        refusals++;
    }

    /**
     * What the machine of a launch said of itself; null where workers are processes of this one.
     */
    Message.@Nullable Offer offer(int launch) {
        return agents == null ? null : agents.offer(launch);
    }

    /** Whether an agent is at the other end. */
    boolean know(ControlConnection connection) {
        return agents != null && agents.knows(connection);
    }

    /** A connection ended; whether it was an agent's. */
    boolean hungUp(ControlConnection connection) {
        String name = agents == null ? null : agents.gone(connection);
        if (name != null) {
            tell(name + " is gone");
        }
        return name != null;
    }

    /** Agents that are silent are gone; says why the run cannot go on, null if it can. */
    @Nullable String check(long nowNs) {
        if (agents == null) {
            return null;
        }
        agents.silent(nowNs).forEach(this::hungUp);
        boolean isWaiting = waitingSinceNs != Long.MAX_VALUE;
        if (isWaiting && agents.names().size() >= enough) {
            waitingSinceNs = nowNs; // How long their workers may take is known elsewhere.
        }
        if (!isWaiting || nowNs - waitingSinceNs <= options.patience().joinNs()) {
            return null;
        }
        List<String> there = agents.names();
        return ("%d of %d machines have joined at %s within %d s%s. Start on the others: %s;"
                        + " or lower cluster.expect, or raise cluster.join_timeout")
                .formatted(
                        there.size(),
                        options.cluster().workers(),
                        address,
                        options.patience().joinNs() / 1_000_000_000L,
                        there.isEmpty() ? "" : " (" + String.join(", ", there) + ")",
                        command);
    }

    private static String site(Message.Offer offer) {
        return offer.site().isEmpty() ? "" : " (site " + offer.site() + ")";
    }

    private void tell(String what) {
        if (agents != null) {
            List<String> there = agents.names();
            int wanted = options.cluster().workers();
            String count = there.size() > wanted ? "%d machines" : "%d of %d machines";
            watcher.machines("%s: ".formatted(what) + count.formatted(there.size(), wanted), there);
        }
    }
}
