package dev.medley.control.coordinator;

import dev.medley.base.time.Clock;
import dev.medley.control.event.CallerId;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Effects;
import dev.medley.control.launcher.JoinCommand;
import dev.medley.control.launcher.Launcher.Exit;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.Message;
import dev.medley.net.control.ProtocolException;
import dev.medley.plan.policy.FirstGroupPolicy;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Keeps the machines that agents offer to a run: which have joined, which are gone, and how long to
 * wait for more. Where workers are processes of this machine it knows nothing and waits for nobody.
 * Owned by the coordinator's agent.
 */
final class Machines {
    private static final int MOST_REFUSALS = 20;
    private static final long REFUSAL_PAUSE_NS = TimeUnit.MINUTES.toNanos(1);

    private final @Nullable Agents agents;
    private final CoordinatorOptions options;
    private final RunWatcher watcher;
    private final Effects effects;
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

        /** A worker's process has ended. */
        record Ended(Exit exit) implements Consequence {}

        /** Nothing. */
        record None() implements Consequence {}
    }

    /**
     * No machine has joined yet.
     *
     * @param agents keeps them; null where workers are processes of this machine
     */
    Machines(
            @Nullable Agents agents,
            CoordinatorOptions options,
            RunWatcher watcher,
            Effects effects,
            Clock clock) {
        this.agents = agents;
        this.options = options;
        this.watcher = watcher;
        this.effects = effects;
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

    /** The agents that are there. */
    List<CallerId> callers() {
        return agents == null ? List.of() : agents.callers();
    }

    /** Whether a worker can be started now. */
    boolean haveRoom() {
        return agents == null || agents.hasRoom();
    }

    /** Has a worker started; false if no machine has room for it. */
    boolean launch(int launch) {
        if (agents != null) {
            return agents.launch(launch);
        }
        effects.add(new Effect.Launch(launch));
        return true;
    }

    /** A worker could not be started. */
    void notLaunched(int launch) {
        if (agents != null) {
            agents.notLaunched(launch);
        }
    }

    /** Has a worker killed; nothing is done if it has ended. */
    void kill(int launch) {
        if (agents == null) {
            effects.add(new Effect.Kill(launch));
        } else {
            agents.kill(launch);
        }
    }

    /** The run is over. */
    void dismiss(Message.Dismissed farewell) {
        if (agents != null) {
            agents.dismiss(farewell);
        }
    }

    /** An agent says something. */
    Consequence hear(CallerId from, Message.FromAgent message) {
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
            Exit exit = agents.exited(from, exited);
            return exit == null ? new Consequence.None() : new Consequence.Ended(exit);
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

    /** The machine of that launch is another by now than its agent said. */
    void changed(int launch, JsonNode machine) {
        if (agents != null) {
            agents.changed(launch, machine);
        }
    }

    /** Whether an agent is at the other end. */
    boolean know(CallerId caller) {
        return agents != null && agents.knows(caller);
    }

    /** A connection ended; null if it was no agent's. */
    Agents.@Nullable Gone hungUp(CallerId caller) {
        Agents.Gone gone = agents == null ? null : agents.gone(caller);
        if (gone != null) {
            tell(gone.name() + " is gone");
        }
        return gone;
    }

    /** Agents that have been silent for too long. */
    List<CallerId> silent(long nowNs) {
        return agents == null ? List.of() : agents.silent(nowNs);
    }

    /** Says why the run cannot go on for want of machines; null if it can. */
    @Nullable String check(long nowNs) {
        if (agents == null) {
            return null;
        }
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
