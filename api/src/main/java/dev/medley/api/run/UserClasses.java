package dev.medley.api.run;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ClassSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.UserClass;
import dev.medley.profile.record.EvaluationRecord;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunFolder;
import dev.medley.profile.record.StepRecord;
import dev.medley.store.dataset.PreparedData;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The user's classes in this process: those in the jars of {@code cluster.class_path} can be loaded
 * while this is open, on the thread that opened it.
 */
final class UserClasses implements AutoCloseable {
    private final JobSpec job;
    private final Thread thread = Thread.currentThread();
    private final ClassLoader before = thread.getContextClassLoader();
    private final URLClassLoader loader;

    private UserClasses(JobSpec job, URLClassLoader loader) {
        this.job = job;
        this.loader = loader;
        thread.setContextClassLoader(loader);
    }

    static UserClasses of(JobSpec job) {
        List<URL> urls = new ArrayList<>();
        for (String entry : job.cluster().classPath()) {
            Path path = Path.of(entry);
            if (!Files.exists(path)) {
                throw new ConfigException(
                        "cluster.class_path: there is no " + path.toAbsolutePath());
            }
            try {
                urls.add(path.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new ConfigException(
                        "cluster.class_path: " + path + " cannot be a path of classes", e);
            }
        }
        ClassLoader parent = Thread.currentThread().getContextClassLoader();
        return new UserClasses(job, new URLClassLoader(urls.toArray(URL[]::new), parent));
    }

    /** The given watcher, then the job's own callbacks: each is a {@link RunProgress}. */
    RunProgress withCallbacks(RunProgress progress) {
        List<RunProgress> all = new ArrayList<>(List.of(progress));
        for (ClassSpec callback : job.train().callbacks()) {
            all.add(UserClass.create(callback, RunProgress.class, "train.callbacks"));
        }
        return all.size() == 1 ? progress : new Several(all);
    }

    @Override
    public void close() {
        thread.setContextClassLoader(before);
        try {
            loader.close();
        } catch (IOException e) {
            throw new IllegalStateException("a jar of cluster.class_path could not be closed", e);
        }
    }

    /** Watchers in order. */
    private record Several(List<RunProgress> watchers) implements RunProgress {
        @Override
        public void preparing(String phase, long done, long total) {
            each(w -> w.preparing(phase, done, total));
        }

        @Override
        public void prepared(PreparedData data) {
            each(w -> w.prepared(data));
        }

        @Override
        public void began(RunFolder folder) {
            each(w -> w.began(folder));
        }

        @Override
        public void stepped(StepRecord step) {
            each(w -> w.stepped(step));
        }

        @Override
        public void evaluated(EvaluationRecord evaluation) {
            each(w -> w.evaluated(evaluation));
        }

        @Override
        public void happened(RunEvent event) {
            each(w -> w.happened(event));
        }

        @Override
        public void interruptible(Interruptible run) {
            each(w -> w.interruptible(run));
        }

        private void each(Consumer<RunProgress> call) {
            watchers.forEach(call);
        }
    }
}
