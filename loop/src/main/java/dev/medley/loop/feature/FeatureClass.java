package dev.medley.loop.feature;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Names a user's class that computes a feature, with the classes of its jars as they were when they
 * were read.
 */
public final class FeatureClass {
    private final String name;
    private final List<String> from;
    private final ClassFiles files;
    private final String sha256;

    /**
     * Reads the jars.
     *
     * @param name of the class
     * @param classPath jars and folders with it and what it needs
     * @param from sources whose histories it reads
     * @throws ConfigException if it is not there or cannot be made
     */
    public FeatureClass(String name, List<Path> classPath, List<String> from) {
        this.name = name;
        this.from = List.copyOf(from);
        ConfigException.check(
                !from.isEmpty(), "from is empty: name the sources whose history %s reads", name);
        this.files = ClassFiles.read(classPath);
        this.sha256 = files.sha256();
        create();
    }

    String name() {
        return name;
    }

    List<String> from() {
        return from;
    }

    /** What a definition is known by: other classes are another one. */
    String identity() {
        return String.join("\n", name, String.join(",", from), sha256);
    }

    /** A new object of it, loaded anew: nothing that an earlier one kept is there. */
    FeatureCode create() {
        try {
            Class<?> type = Class.forName(name, true, files.loader());
            ConfigException.check(
                    FeatureCode.class.isAssignableFrom(type),
                    "%s does not implement %s",
                    name,
                    FeatureCode.class.getName());
            ConfigException.check(
                    !Modifier.isAbstract(type.getModifiers()),
                    "%s is abstract: name a class of which there can be objects",
                    name);
            ConfigException.check(
                    Modifier.isPublic(type.getModifiers()), "%s is not public: make it so", name);
            return (FeatureCode) type.getConstructor().newInstance();
        } catch (ClassNotFoundException e) {
            throw new ConfigException(missing(), e);
        } catch (NoSuchMethodException e) {
            throw new ConfigException(
                    "%s has no public constructor without parameters: give it one".formatted(name),
                    e);
        } catch (InvocationTargetException e) {
            throw new ConfigException(
                    "the constructor of %s failed: %s".formatted(name, CodeRun.said(e.getCause())),
                    e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new ConfigException(
                    "%s cannot be loaded: %s".formatted(name, CodeRun.said(e)), e);
        }
    }

    private String missing() {
        return "there is no class %s in %s%s"
                .formatted(
                        name,
                        files.paths().stream()
                                .map(Path::toString)
                                .collect(Collectors.joining(", ")),
                        DidYouMean.of(name, files.classNames())
                                .map("; did you mean %s?"::formatted)
                                .orElse(""));
    }
}
