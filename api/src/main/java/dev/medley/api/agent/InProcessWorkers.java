package dev.medley.api.agent;

import dev.medley.base.WorkerSettings;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JobStart;
import dev.medley.base.time.Clock;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.LocalWorkers;
import dev.medley.inference.model.UserClasses;
import dev.medley.training.worker.WorkerMain;
import dev.medley.worker.Worker;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts workers as threads of this process, for engines whose processes hold the data: an executor
 * of Spark. A worker reads what the process holds without a copy to another one; what ends the
 * process ends its workers.
 */
public final class InProcessWorkers implements LocalWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(InProcessWorkers.class);

    /** As a process has that SIGKILL ended. */
    private static final int KILLED = 137;

    private static final long END_MILLIS = TimeUnit.SECONDS.toMillis(30);

    @Override
    public Launcher of(JobSpec job, JobStart start, WorkerSettings place, Path logs) {
        return new Threads(job, start, place, Thread.currentThread().getContextClassLoader());
    }

    /** The workers of one run. */
    private static final class Threads implements Launcher {
        private final JobSpec job;
        private final JobStart start;
        private final WorkerSettings place;
        private final ClassLoader classes;
        private final Map<Integer, Worker> living = new ConcurrentSkipListMap<>();
        private final List<Thread> threads = new ArrayList<>();

        Threads(JobSpec job, JobStart start, WorkerSettings place, ClassLoader classes) {
            this.job = job;
            this.start = start;
            this.place = place;
            this.classes = classes;
        }

        @Override
        public synchronized void launch(
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
            Thread thread =
                    new Thread(() -> listener.exited(run(worker, launch)), "worker-" + launch);
            thread.setDaemon(true);
            thread.setContextClassLoader(classes);
            living.put(launch, worker);
            threads.add(thread);
            thread.start();
        }

        private Exit run(Worker worker, int launch) {
            int code;
            String why = "";
            try (UserClasses own = UserClasses.of(job);
                    UserClasses.Scope here = own.enter()) {
                code = worker.run() ? 0 : 1;
            } catch (Throwable e) { // Whatever it is, the coordinator has to hear of it.
                LOG.warn("worker-{} ended", launch, e);
                code = 1;
                why = e.toString();
            }
            boolean isKilled = living.remove(launch) == null;
            return new Exit(launch, isKilled ? KILLED : code, why, "");
        }

        @Override
        public void kill(int launch) {
            Worker worker = living.remove(launch);
            if (worker != null) {
                worker.kill();
            }
        }

        /** Waits for threads, too: none of them uses the process's memory after this. */
        @Override
        public synchronized void close() {
            List.copyOf(living.keySet()).forEach(this::kill);
            try {
                for (Thread thread : threads) {
                    thread.join(END_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
