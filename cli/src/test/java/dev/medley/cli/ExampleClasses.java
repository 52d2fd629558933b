package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** The example project's own network, compiled as its build does. */
public final class ExampleClasses {
    private static final Path SOURCE =
            Path.of("../examples/own-project/src/main/java/com/example/SkipNetwork.java");

    private ExampleClasses() {}

    /** Makes the folder of classes. */
    public static void compile(Path classes) throws IOException {
        Files.createDirectories(classes);
        String classPath = System.getProperty("java.class.path");
        String[] line = {"-cp", classPath, "-d", classes.toString(), SOURCE.toString()};
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, line);
        assertThat(status).isZero();
    }
}
