package dev.medley.control.coordinator;

import dev.medley.base.time.Clock;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Event;
import dev.medley.control.launcher.Launching;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.plan.source.PlanSource;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Drives the {@link Chair} of one run on a thread: brings it what happens, and has done what it
 * wants.
 *
 * <p>Thread: {@link #run} is the coordinator's; {@link #interrupt} may be called from any.
 */
public final class Coordinator {
    /** So many events are taken before deadlines are looked at, however many more have come. */
    private static final int MOST_EVENTS = 10_000;

    private final World world;
    private final String token;
    private final Chair chair;
    private final Inbox inbox = new Inbox();

    /**
     * A coordinator that has not begun.
     *
     * @param options patience and limits
     * @param assignment handed to every worker that comes, as it is then
     * @param token secret of the run, handed to workers; {@code world}'s door knows it, too
     * @param world what starts workers, decides plans, watches and tells the time
     */
    public Coordinator(
            CoordinatorOptions options, Supplier<JsonNode> assignment, String token, World world) {
        this.world = world;
        this.token = token;
        this.chair = new Chair(options, assignment, world.launching(), world.plans());
    }

    /** What a coordinator reaches outside itself. */
    public record World(
            Launching launching, Door door, PlanSource plans, RunWatcher watcher, Clock clock) {}

    /** Where workers and agents connect. */
    @FunctionalInterface
    public interface Door {
        /** Opens it; what is said there goes to {@code handler}. */
        ControlServer open(ControlConnection.Handler handler) throws IOException;
    }

    /**
     * Asks for the end: the first time after the step under way and a checkpoint, the second time
     * at once.
     */
    public void interrupt() {
        inbox.interrupt();
    }

    /**
     * Runs to the end; every worker has left when it returns.
     *
     * @throws RuntimeException that the watcher threw, after what the members held was kept
     */
    public RunOutcome run() throws IOException, InterruptedException {
        try (ControlServer server = world.door().open(inbox)) {
            Performer performer =
                    new Performer(world.launching(), world.watcher(), inbox, token, server);
            try {
                take(new Event.Opened(server.address()), performer);
                while (chair.outcome() == null) {
                    takeEvents(performer);
                }
                throwOn(performer.failure());
                return Objects.requireNonNull(chair.outcome());
            } finally {
                List<Event> unused = performer.perform(chair.dismiss(), new Event.TimePassed());
                closeLauncher();
            }
        }
    }

    /**
     * Waits for an event, then takes all that have come, before anybody is judged: who spoke while
     * this side was busy or asleep was not silent.
     */
    private void takeEvents(Performer performer) throws IOException, InterruptedException {
        Event event = inbox.next(chair.waitNs(world.clock().awakeNs()));
        for (int taken = 1; event != null; taken++) {
            take(event, performer);
            event = taken < MOST_EVENTS && !chair.isOver() ? inbox.next(0) : null;
        }
        take(new Event.TimePassed(), performer);
    }

    /** An event, and those that follow from what is done about it. */
    private void take(Event event, Performer performer) throws IOException {
        Deque<Event> events = new ArrayDeque<>(List.of(event));
        while (!events.isEmpty()) {
            Event next = events.remove();
            events.addAll(performer.perform(effects(next, performer), next));
        }
    }

    /** What the chair throws itself is a bug: members keep what they hold first. */
    private List<Effect> effects(Event event, Performer performer) {
        Clock clock = world.clock();
        try {
            return chair.on(event, clock.awakeNs(), clock.wallMillis());
        } catch (RuntimeException | Error bug) {
            if (performer.failure() != null) {
                throw bug;
            }
            return chair.on(performer.failed(bug), clock.awakeNs(), clock.wallMillis());
        }
    }

    private static void throwOn(@Nullable Throwable failure) {
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        } else if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw new IllegalStateException(failure);
        }
    }

    private void closeLauncher() {
        if (world.launching() instanceof Launching.ByLauncher by) {
            by.launcher().close();
        }
    }
}
