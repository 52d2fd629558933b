package dev.medley.control.coordinator;

import dev.medley.base.Json;
import dev.medley.control.event.CallerId;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Event;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.Launcher.LaunchException;
import dev.medley.control.launcher.Launching;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.ProtocolException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Does what {@link Chair} wants done: sends, hangs up, starts and kills workers, and tells the
 * watcher. A watcher that throws ends the run and is told of nothing more, unless it was a message
 * that it could not read, which ends its sender's connection.
 *
 * <p>Thread: the coordinator's.
 */
final class Performer {
    private static final Logger LOG = LoggerFactory.getLogger(Performer.class);

    /** The time that an agent gets to take in why it has to go. */
    private static final long LAST_WORDS_NS = 1_000_000_000L;

    private final Launching launching;
    private final RunWatcher watcher;
    private final Inbox inbox;
    private final String token;
    private final ControlServer server;
    private @Nullable Throwable failure;

    /** Workers find the coordinator at {@code server}. */
    Performer(
            Launching launching,
            RunWatcher watcher,
            Inbox inbox,
            String token,
            ControlServer server) {
        this.launching = launching;
        this.watcher = watcher;
        this.inbox = inbox;
        this.token = token;
        this.server = server;
    }

    /** What the watcher, or the coordinator itself, threw first; null for nothing. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** Something was thrown that ends the run; the watcher may be why, and is told no more. */
    Event failed(Throwable thrown) {
        failure = failure == null ? thrown : failure;
        return new Event.Broken(thrown.toString());
    }

    /**
     * Does all of it, in order.
     *
     * @param cause what it follows from
     * @return what happened by that
     */
    List<Event> perform(List<Effect> effects, Event cause) throws IOException {
        List<Event> happened = new ArrayList<>();
        for (Effect effect : effects) {
            Event event;
            try {
                event = perform(effect, cause);
            } catch (RuntimeException | Error thrown) {
                event = failed(thrown); // The rest may still keep what members hold.
            }
            if (event != null) {
                happened.add(event);
            }
        }
        return happened;
    }

    private @Nullable Event perform(Effect effect, Event cause) throws IOException {
        if (effect instanceof Effect.Send send) {
            send(send.to(), send.message());
        } else if (effect instanceof Effect.Tell tell) {
            return tell(tell, cause);
        } else if (effect instanceof Effect.Beat beat) {
            return beat(beat);
        } else if (effect instanceof Effect.HangUp hangUp) {
            hangUp(hangUp);
        } else if (effect instanceof Effect.Launch launch) {
            return launch(launch.launch());
        } else if (effect instanceof Effect.LaunchAt at) {
            return launchAt(at.launch(), at.agent());
        } else if (effect instanceof Effect.Kill kill) {
            launcher().kill(kill.launch());
        } else if (effect instanceof Effect.Settled settled) {
            needs().settled(settled.launch());
        } else if (effect instanceof Effect.CloseDoor) {
            server.close();
        }
        return null;
    }

    private void send(CallerId to, Message message) {
        ControlConnection connection = inbox.connection(to);
        if (connection != null) {
            connection.send(message);
        }
    }

    private @Nullable Event beat(Effect.Beat beat) {
        Event event = null;
        long recorded = beat.told();
        if (failure == null) {
            try {
                recorded = watcher.recorded(beat.told());
            } catch (RuntimeException | Error e) {
                event = failed(e);
            }
        }
        Message ofWorkers = new Message.Beat(recorded);
        beat.workers().forEach(worker -> send(worker, ofWorkers));
        beat.agents().forEach(agent -> send(agent, new Message.Beat(0)));
        return event;
    }

    private void hangUp(Effect.HangUp hangUp) {
        ControlConnection connection = inbox.connection(hangUp.who());
        if (connection == null) {
            return;
        }
        switch (hangUp.how()) {
            case AT_ONCE -> connection.close();
            case ONCE_SENT -> connection.closeOnceSent(LAST_WORDS_NS);
            case AFTER_SENDING -> connection.closeAfterSending(LAST_WORDS_NS);
        }
    }

    private Event launch(int launch) {
        try {
            launcher().launch(launch, server.address(), token, inbox);
            return new Event.Launched(launch);
        } catch (LaunchException e) {
            return new Event.NotLaunched(launch, String.valueOf(e.getMessage()));
        }
    }

    /** Trouble with what the worker needs is that of this launch alone. */
    private Event launchAt(int launch, CallerId agent) {
        try {
            JsonNode needed = Json.tree(needs().of(launch));
            send(agent, new Message.Launch(launch, token, needed));
            return new Event.Launched(launch);
        } catch (RuntimeException e) {
            needs().settled(launch);
            LOG.warn("worker-{} is not started", launch, e);
            return new Event.NotLaunched(
                    launch,
                    "what worker-%d needs could not be found out: %s"
                            .formatted(launch, e.getMessage()));
        }
    }

    private @Nullable Event tell(Effect.Tell tell, Event cause) {
        if (failure != null) {
            return null;
        }
        try {
            Object unused = tell.method().invoke(watcher, tell.arguments().toArray());
            return null;
        } catch (InvocationTargetException e) {
            Throwable thrown = e.getTargetException();
            boolean isUnreadable =
                    thrown instanceof JacksonException || thrown instanceof ProtocolException;
            return isUnreadable && cause instanceof Event.Said said
                    ? new Event.Unreadable(said.by(), said.message(), thrown.toString())
                    : failed(thrown);
        } catch (IllegalAccessException e) {
            return failed(e);
        }
    }

    private Launcher launcher() {
        return ((Launching.ByLauncher) launching).launcher();
    }

    private Launching.Needs needs() {
        return ((Launching.OnAgents) launching).needs();
    }
}
