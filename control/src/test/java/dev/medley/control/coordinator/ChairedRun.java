package dev.medley.control.coordinator;

import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.control.event.CallerId;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Event;
import dev.medley.control.launcher.Launching;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.plan.source.SharePlan;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator that is stepped: what a test says happens to it, at the time that the test says.
 */
final class ChairedRun {
    static final Progress BEGINNING = new Progress(0, false);
    private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

    private final Chair chair;
    private final List<Effect> effects = new ArrayList<>();
    private IntPredicate starts = launch -> true;
    private long nowNs;

    /** With so many processes of this machine, and restarts. */
    ChairedRun(int workers, int restarts, JoinSpec.Begin begin) {
        ClusterSpec usual = ClusterSpec.ofWorkers(workers);
        ClusterSpec cluster =
                new ClusterSpec(
                        workers,
                        1,
                        List.of(),
                        List.of(),
                        usual.heartbeatNs(),
                        HOUR_NS,
                        HOUR_NS,
                        restarts,
                        null);
        chair =
                new Chair(
                        new CoordinatorOptions(
                                cluster,
                                "run " + CoordinatedRun.NAME,
                                "nothing",
                                FakeWorkers.JOB,
                                FakeWorkers.VERSION,
                                new CoordinatorOptions.Patience(HOUR_NS, HOUR_NS, HOUR_NS, HOUR_NS),
                                begin),
                        () -> Json.tree(Map.of()),
                        new Launching.ByLauncher(new FakeWorkers(Acting.idle())),
                        new SharePlan(12, 1, List.of()));
    }

    /** Starts come to something where this says so. */
    ChairedRun starting(IntPredicate which) {
        starts = which;
        return this;
    }

    ChairedRun begin() {
        hear(new Event.Opened(new InetSocketAddress("127.0.0.1", 4000)));
        return this;
    }

    /** Something happens. */
    List<Effect> hear(Event event) {
        List<Effect> now = chair.on(event, nowNs, TimeUnit.NANOSECONDS.toMillis(nowNs));
        effects.addAll(now);
        for (Effect effect : now) {
            if (effect instanceof Effect.Launch launch) {
                hear(
                        starts.test(launch.launch())
                                ? new Event.Launched(launch.launch())
                                : new Event.NotLaunched(launch.launch(), "cannot fork"));
            }
        }
        return now;
    }

    /** Time passes. */
    List<Effect> pass(long time, TimeUnit unit) {
        nowNs += unit.toNanos(time);
        return hear(new Event.TimePassed());
    }

    List<Effect> say(int launch, Message message) {
        return hear(new Event.Said(caller(launch), message));
    }

    /** The worker of that launch comes and is ready. */
    void join(int launch) {
        say(launch, new Message.Hello(FakeWorkers.VERSION, FakeWorkers.JOB.toString(), launch, 1));
        ready(launch);
    }

    void greet(int launch) {
        say(launch, new Message.Hello(FakeWorkers.VERSION, FakeWorkers.JOB.toString(), launch, 1));
    }

    void ready(int launch) {
        WorkerId id = new WorkerId(launch);
        Member member = new Member(id, "host", Member.NO_SITE, "127.0.0.1", 1, "kernels");
        say(launch, new Message.Ready(member, BEGINNING, 5, List.of(), List.of()));
    }

    void hangUp(int launch) {
        hear(new Event.HungUp(caller(launch), "closed by the other side"));
    }

    static CallerId caller(int launch) {
        return new CallerId(launch, JoinSecret.Kind.RUN);
    }

    /** The group that was formed last; null before there is one. */
    @Nullable View view() {
        return effects.stream()
                .filter(Effect.Send.class::isInstance)
                .map(effect -> ((Effect.Send) effect).message())
                .filter(Message.Form.class::isInstance)
                .map(message -> ((Message.Form) message).view())
                .reduce((earlier, later) -> later)
                .orElse(null);
    }

    /** What the watcher was told by this method, in words. */
    List<String> told(String method) {
        return effects.stream()
                .filter(Effect.Tell.class::isInstance)
                .map(Effect.Tell.class::cast)
                .filter(tell -> tell.method().getName().equals(method))
                .map(tell -> String.valueOf(tell.arguments().get(0)))
                .toList();
    }

    /** All that was said to the worker of that launch. */
    List<Message> saidTo(int launch) {
        return effects.stream()
                .filter(Effect.Send.class::isInstance)
                .map(Effect.Send.class::cast)
                .filter(send -> send.to().equals(caller(launch)))
                .map(Effect.Send::message)
                .toList();
    }

    @Nullable RunOutcome outcome() {
        return chair.outcome();
    }
}
