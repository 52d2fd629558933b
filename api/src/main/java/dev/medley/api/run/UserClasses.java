package dev.medley.api.run;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ClassSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.UserClass;
import dev.medley.data.dataset.PreparedData;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Loads the user's classes into this process. Those in the jars of {@code cluster.class_path} can
 * be used while this is open, and be found by name on a thread that has entered.
 */
public final class UserClasses implements AutoCloseable {
    private final URLClassLoader loader;

    private UserClasses(List<Path> path) {
        List<URL> urls = new ArrayList<>();
        for (Path entry : path) {
            try {
                urls.add(entry.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new ConfigException(
                        "cluster.class_path: " + entry + " cannot be a path of classes", e);
            }
        }
        ClassLoader parent = Thread.currentThread().getContextClassLoader();
        this.loader = new URLClassLoader(urls.toArray(URL[]::new), parent);
    }

    /** Those of a job, all of whose jars must be there. */
    public static UserClasses of(JobSpec job) {
        List<Path> path = job.cluster().classPath().stream().map(Path::of).toList();
        for (Path entry : path) {
            ConfigException.check(
                    Files.exists(entry),
                    "cluster.class_path: there is no %s",
                    entry.toAbsolutePath());
        }
        return new UserClasses(path);
    }

    /**
     * Those of a model that was trained somewhere, sometime: a jar that is gone by now is missed
     * only if the model has a class from it.
     */
    public static UserClasses ofModel(List<String> classPath) {
        return new UserClasses(classPath.stream().map(Path::of).filter(Files::exists).toList());
    }

    /** Where classes are found until it is closed, on the thread that made it. */
    public static final class Scope implements AutoCloseable {
        private final Thread thread = Thread.currentThread();
        private final ClassLoader before = thread.getContextClassLoader();

        private Scope(ClassLoader loader) {
            thread.setContextClassLoader(loader);
        }

        @Override
        public void close() {
            thread.setContextClassLoader(before);
        }
    }

    /** From now on this thread finds them. */
    public Scope enter() {
        return new Scope(loader);
    }

    /** The given watcher, then the callbacks of {@code job}: each is a {@link RunProgress}. */
    static RunProgress withCallbacks(JobSpec job, RunProgress progress) {
        List<RunProgress> all = new ArrayList<>(List.of(progress));
        for (ClassSpec callback : job.train().callbacks()) {
            all.add(UserClass.create(callback, RunProgress.class, "train.callbacks"));
        }
        return all.size() == 1 ? progress : new Several(all);
    }

    @Override
    public void close() {
        try {
            loader.close();
        } catch (IOException e) {
            throw new IllegalStateException("a jar of cluster.class_path could not be closed", e);
        }
    }

    /** Watchers in order. */
    private record Several(List<RunProgress> watchers) implements RunProgress {
        @Override
        public void decided(JobSpec job) {
            each(w -> w.decided(job));
        }

        @Override
        public void preparing(String phase, long done, long total) {
            each(w -> w.preparing(phase, done, total));
        }

        @Override
        public void prepared(PreparedData data) {
            each(w -> w.prepared(data));
        }

        @Override
        public void serving(String figures, @Nullable String page) {
            each(w -> w.serving(figures, page));
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
