package dev.medley.control.coordinator;

import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.job.JobIdentity;
import dev.medley.control.launcher.Launcher;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Workers that train nothing: each is a connection over a real socket that answers as its script
 * says.
 */
public final class FakeWorkers implements Launcher {
    public static final String VERSION = "1.2.3";
    static final JobIdentity JOB = new JobIdentity("adult", "5f0c2a91");
    private static final long BEAT_MILLIS = 50;

    private final Script script;
    private final Map<Integer, Worker> workers = new ConcurrentHashMap<>();
    private final List<Integer> killed = new CopyOnWriteArrayList<>();

    /** What workers do; the defaults are those of a good worker that never gets to a step. */
    interface Script {
        /** A worker was started. */
        default void launched(Worker worker) throws IOException {
            worker.connect();
            worker.hello();
        }

        /** A worker got its identity. */
        default void welcomed(Worker worker) {
            worker.ready();
        }

        /** A group begins. */
        default void formed(Worker worker, View view) {}

        /** The group is to end at once. */
        default void sealed(Worker worker, int epoch) {
            worker.reportSealed(epoch);
        }

        /** The group is to end after a common step. */
        default void paused(Worker worker, int epoch) {
            worker.reportSealed(epoch);
        }

        /** The worker is to leave. */
        default void closed(Worker worker, Message.Close close) {
            worker.leave(0);
        }
    }

    FakeWorkers(Script script) {
        this.script = script;
    }

    /** A worker process as its coordinator sees it. */
    public static final class Worker implements ControlConnection.Handler {
        public final int launch;
        final String token;
        public volatile long step;
        public volatile int epoch;
        public volatile Message.Close close;
        final CountDownLatch hungUp = new CountDownLatch(1);
        private final Script script;
        private final InetSocketAddress coordinator;
        private final ExitListener listener;
        private volatile ControlConnection connection;
        private volatile WorkerId id;

        public Worker(
                int launch, String token, Script script, InetSocketAddress at, ExitListener exit) {
            this.launch = launch;
            this.token = token;
            this.script = script;
            this.coordinator = at;
            this.listener = exit;
        }

        public WorkerId id() {
            return id;
        }

        void connect() throws IOException {
            connection =
                    ControlConnection.connect(
                            coordinator,
                            TimeUnit.SECONDS.toNanos(5),
                            JoinSecret.ofRun(token),
                            this);
        }

        void hello() {
            say(new Message.Hello(VERSION, JOB.toString(), launch, 1));
        }

        public void ready() {
            Member member =
                    new Member(id, "host", Member.NO_SITE, "127.0.0.1", 1000 + launch, "kernels");
            say(new Message.Ready(member, new Progress(step, false), 5, List.of(), List.of()));
        }

        public void say(Message message) {
            connection.send(message);
        }

        /** Applies steps up to this one and tells of them. */
        public void stepTo(long last) {
            List<WorkerStep> steps = new ArrayList<>();
            for (long number = step + 1; number <= last; number++) {
                steps.add(
                        new WorkerStep(number, 1, 1, 1, 1, 8, 4, 0, 1, 1, 0, 0, 0, 0, 0, 0, null));
            }
            step = last;
            say(new Message.Steps(epoch, steps, List.of(), List.of()));
        }

        void finish(String hash) {
            say(new Message.Finished(epoch, step, hash, "the budget is used up"));
        }

        void reportSealed(int ofEpoch) {
            say(new Message.Sealed(ofEpoch, new Progress(step, false)));
        }

        /** Gives a sign of life now and then, until the connection ends or the time is over. */
        void beatFor(long millis) {
            Thread beating =
                    new Thread(
                            () -> {
                                try {
                                    for (long at = 0; at < millis; at += BEAT_MILLIS) {
                                        say(new Message.Alive(step));
                                        hungUp.await(BEAT_MILLIS, TimeUnit.MILLISECONDS);
                                    }
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            beating.setDaemon(true);
            beating.start();
        }

        /** Says what is queued, hangs up and ends. */
        public void leave(int exitCode) {
            Thread leaving =
                    new Thread(
                            () -> {
                                connection.closeAfterSending(TimeUnit.SECONDS.toNanos(5));
                                exit(exitCode, "");
                            });
            leaving.setDaemon(true);
            leaving.start();
        }

        /** Its process is killed for want of memory, and its connection ends with it. */
        public void runOutOfMemory(String what) {
            listener.exited(new Exit(launch, 137, "", what));
            connection.close();
        }

        void exit(int code, String lastWords) {
            listener.exited(new Exit(launch, code, lastWords, ""));
        }

        @Override
        public void received(ControlConnection from, Message message) {
            if (message instanceof Message.Welcome welcome) {
                id = welcome.worker();
                script.welcomed(this);
            } else if (message instanceof Message.Form form) {
                epoch = form.view().group().epoch();
                step = form.view().committed().step();
                script.formed(this, form.view());
            } else if (message instanceof Message.Seal seal) {
                script.sealed(this, seal.epoch());
            } else if (message instanceof Message.Pause pause) {
                script.paused(this, pause.epoch());
            } else if (message instanceof Message.Try alone) {
                say(new Message.TriedAlone(new Message.Tried(alone.samples(), 5)));
            } else if (message instanceof Message.Close goodbye) {
                close = close == null ? goodbye : close;
                script.closed(this, goodbye);
            }
        }

        @Override
        public void closed(ControlConnection ended, String why) {
            hungUp.countDown();
        }
    }

    /** Somebody who says to be the same start of a worker, with another token. */
    Worker strangerBeside(Worker worker, String token) {
        return new Worker(worker.launch, token, script, worker.coordinator, exit -> {});
    }

    public Worker worker(int launch) {
        return workers.get(launch);
    }

    public int launches() {
        return workers.size();
    }

    List<Integer> killed() {
        return killed;
    }

    @Override
    public void launch(
            int launch, InetSocketAddress coordinator, String token, ExitListener listener) {
        Worker worker = new Worker(launch, token, script, coordinator, listener);
        workers.put(launch, worker);
        try {
            script.launched(worker);
        } catch (IOException e) {
            throw new LaunchException("no connection: " + e.getMessage(), e);
        }
    }

    @Override
    public void kill(int launch) {
        killed.add(launch);
        workers.get(launch).exit(137, "");
    }

    @Override
    public void close() {
        for (Worker worker : workers.values()) {
            if (worker.connection != null) {
                worker.connection.close();
            }
        }
    }
}
