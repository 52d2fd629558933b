package dev.medley.api.world;

import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobStart;
import dev.medley.base.time.Clock;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.LocalWorkers;
import dev.medley.training.worker.WorkerMain;
import dev.medley.worker.Worker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Starts the workers of runs as threads of the test's JVM, each over sockets of its own as a
 * process would have them. A worker that is killed breaks its connections and says nothing more.
 *
 * <p>What only a process shows is tested with processes: SIGKILL, its options, memory and log.
 */
public final class WorkerThreads implements LocalWorkers {
    private static final String NAME = "worker-";

    /** As a process has that SIGKILL ended. */
    private static final int KILLED = 137;

    private final List<Threads> launchers = new ArrayList<>();

    /** The number of the launch whose worker runs on the calling thread; 0 on another. */
    public static int launch() {
        String name = Thread.currentThread().getName();
        return name.startsWith(NAME) ? Integer.parseInt(name.substring(NAME.length())) : 0;
    }

    @Override
    public synchronized Launcher of(JobSpec job, JobStart start, WorkerSettings place, Path logs) {
        Threads threads = new Threads(start, place);
        launchers.add(threads);
        return threads;
    }

    /** Kills the n-th, from 1, of the workers that live of the newest run. */
    public synchronized void kill(int n) {
        launchers.get(launchers.size() - 1).killLiving(n);
    }

    /** Kills all workers of the newest run. */
    public synchronized void killAll() {
        Threads newest = launchers.get(launchers.size() - 1);
        List.copyOf(newest.living.keySet()).forEach(newest::kill);
    }

    /** The workers of one run. */
    private static final class Threads implements Launcher {
        private final JobStart start;
        private final WorkerSettings place;
        private final Map<Integer, Worker> living = new ConcurrentSkipListMap<>();
        private final List<Thread> threads = new CopyOnWriteArrayList<>();

        Threads(JobStart start, WorkerSettings place) {
            this.start = start;
            this.place = place;
        }

        @Override
        public void launch(
                int launch, InetSocketAddress coordinator, String token, ExitListener listener) {
            Worker worker =
                    new Worker(
                            coordinator,
                            token,
                            launch,
                            start,
                            place,
                            WorkerMain.TASKS,
                            Clock.system());
            Thread thread = new Thread(() -> listener.exited(run(worker, launch)), NAME + launch);
            thread.setDaemon(true);
            living.put(launch, worker);
            threads.add(thread);
            thread.start();
        }

        private Exit run(Worker worker, int launch) {
            try {
                boolean inGoodOrder = worker.run();
                boolean isKilled = living.remove(launch) == null;
                return new Exit(launch, isKilled ? KILLED : inGoodOrder ? 0 : 1, "", "");
            } catch (IOException | InterruptedException | RuntimeException e) {
                boolean isKilled = living.remove(launch) == null;
                return new Exit(launch, isKilled ? KILLED : 1, e.toString(), "");
            }
        }

        @Override
        public void kill(int launch) {
            Worker worker = living.remove(launch);
            if (worker != null) {
                worker.kill();
            }
        }

        void killLiving(int n) {
            living.keySet().stream().skip(n - 1L).findFirst().ifPresent(this::kill);
        }

        /** Waits for threads too, so that no worker of one test is about in the next. */
        @Override
        public void close() {
            List.copyOf(living.keySet()).forEach(this::kill);
            try {
                for (Thread thread : threads) {
                    thread.join(TimeUnit.SECONDS.toMillis(30));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
