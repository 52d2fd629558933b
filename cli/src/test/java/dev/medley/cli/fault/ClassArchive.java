package dev.medley.cli.fault;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * An archive of classes that the tests of the module before leave where they have run. As the start
 * script has it, command and workers need not parse classes anew with one.
 */
final class ClassArchive {
    private static final Path FOLDER =
            Path.of(System.getProperty("medley.root", ".."), "api", "target").toAbsolutePath();
    private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");
    private static final Path JARS = FOLDER.resolve("classes.path");

    private ClassArchive() {}

    /**
     * The options of a JVM with this class path. An archive fits a path that begins with its jars,
     * so it is used where the path has all of them: nothing comes to the path by that.
     */
    static List<String> options(String path) throws IOException {
        String jars = jars();
        if (jars.isEmpty() || !entries(path).containsAll(entries(jars))) {
            return List.of("-cp", path);
        }
        return List.of(
                "-XX:SharedArchiveFile=" + ARCHIVE,
                "-Xlog:cds=off",
                "-Xlog:class+path=off",
                "-Dmedley.shared.classes=" + ARCHIVE,
                "-cp",
                jars + File.pathSeparator + path);
    }

    /** The class path that it was made for; empty if there is none. */
    static String jars() throws IOException {
        return Files.exists(ARCHIVE) && Files.exists(JARS) ? Files.readString(JARS) : "";
    }

    static Set<String> entries(String path) {
        return Set.copyOf(List.of(path.split(File.pathSeparator)));
    }
}
