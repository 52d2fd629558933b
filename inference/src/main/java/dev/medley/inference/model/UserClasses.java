package dev.medley.inference.model;

import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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

    @Override
    public void close() {
        try {
            loader.close();
        } catch (IOException e) {
            throw new IllegalStateException("a jar of cluster.class_path could not be closed", e);
        }
    }
}
