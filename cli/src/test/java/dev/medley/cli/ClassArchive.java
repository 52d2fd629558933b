package dev.medley.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * An archive of classes that the tests of the module before leave where they have run. As the start
 * script has it, command and workers need not parse classes anew with one.
 */
public final class ClassArchive {
    private static final String SHARED_CLASSES = "medley.shared.classes";
    private static final Path FOLDER =
            Path.of(System.getProperty("medley.root", ".."), "api", "target").toAbsolutePath();
    private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");
    private static final Path JARS = FOLDER.resolve("classes.path");

    private ClassArchive() {}

    /**
     * The options of a JVM with this class path. An archive fits a path that begins with its jars,
     * so it is used where the path has all of them: nothing comes to the path by that.
     */
    public static List<String> options(String path) throws IOException {
        String jars = jars();
        if (jars.isEmpty() || !entries(path).containsAll(entries(jars))) {
            return List.of("-cp", path);
        }
        return List.of(
                "-XX:SharedArchiveFile=" + ARCHIVE,
                "-Xlog:cds=off",
                "-Xlog:class+path=off",
                "-D" + SHARED_CLASSES + "=" + ARCHIVE,
                "-cp",
                jars + File.pathSeparator + path);
    }

    /** Workers of commands that run in this JVM have it from now on. */
    static void giveToWorkers() {
        try {
            String path = System.getProperty("java.class.path");
            List<String> options = options(path);
            if (options.size() > 2) {
                System.setProperty("java.class.path", options.get(options.size() - 1));
                System.setProperty(SHARED_CLASSES, ARCHIVE.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class path that it was made for; empty if there is none. */
    static String jars() throws IOException {
        return Files.exists(ARCHIVE) && Files.exists(JARS) ? Files.readString(JARS) : "";
    }

    static Set<String> entries(String path) {
        return Set.copyOf(List.of(path.split(File.pathSeparator)));
    }
}
