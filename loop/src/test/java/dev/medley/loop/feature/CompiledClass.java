package dev.medley.loop.feature;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** Compiles classes of features, as their users' builds do. */
public final class CompiledClass {
    private static final String USUAL =
            """
            package com.acme;

            import dev.medley.loop.feature.*;
            import java.time.*;
            import java.util.*;
            import java.util.stream.*;

            public class Usage implements FeatureCode {
                public List<FeatureColumn> columns() {
                    return List.of(
                            new FeatureColumn("customer", String.class),
                            new FeatureColumn("day", LocalDate.class),
                            new FeatureColumn("_known_at", Instant.class),
                            new FeatureColumn("_deleted", Boolean.class),
                            new FeatureColumn("minutes", Double.class));
                }

                public Stream<List<Object>> rows(Stream<HistoryRow> history) throws Exception {
                    return history.map(row -> row(row));
                }

                private List<Object> row(HistoryRow row) {
                    return Arrays.asList(
                            row.text("customer"),
                            row.value("day"),
                            row.knownAt(),
                            row.isDeleted(),
                            row.number("minutes"));
                }
            }
            """;

    private CompiledClass() {}

    /** The class {@code com.acme.Usage}, which hands rows of usage on. */
    public static Path usage(Path folder) throws IOException {
        return usage(folder, "", "");
    }

    /** The same with a part of its text replaced. */
    public static Path usage(Path folder, String part, String other) throws IOException {
        assertThat(USUAL).contains(part);
        Path source = Files.createDirectories(folder.resolve("source")).resolve("Usage.java");
        return of(
                Files.writeString(source, part.isEmpty() ? USUAL : USUAL.replace(part, other)),
                folder);
    }

    /** A class of any file. */
    public static Path of(Path source, Path folder) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        String classPath = System.getProperty("java.class.path");
        String[] line = {"-proc:none", "-cp", classPath, "-d", classes.toString(), "" + source};
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, line);
        assertThat(status).isZero();
        return classes;
    }
}
