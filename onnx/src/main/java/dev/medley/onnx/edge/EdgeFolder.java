package dev.medley.onnx.edge;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.data.encoding.SparseColumn.Pairs;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.OnnxModel;
import dev.medley.store.file.AtomicFolder;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Writes a folder that answers with a model of a table by ONNX Runtime alone: the graph, how texts
 * are read, and a Java class that does both. It is written whole or not at all.
 */
public final class EdgeFolder {
    private static final String MODEL = "model.onnx";
    private static final String ENCODING = "encoding.json";
    private static final List<String> SOURCES =
            List.of("EdgeModel.java", "EdgeExample.java", "README.md");

    private EdgeFolder() {}

    /**
     * Writes a model's folder, in place of an older one.
     *
     * @param onnx the model's graph from raw columns to answers
     * @return its files
     * @throws ConfigException for a model of other data than a table, a place that cannot be
     *     written, and a folder there that this has not made
     */
    public static List<String> write(LoadedModel model, OnnxModel onnx, Path folder) {
        TableEncoding table = table(model);
        requireOurs(folder);
        EdgeEncoding encoding =
                EdgeEncoding.of(table, model.description().signature().target(), onnx.outputs());
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(
                ENCODING, Json.pretty(encoding).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        SOURCES.forEach(name -> files.put(name, resource(name)));
        long bytes = onnx.bytes() + files.values().stream().mapToLong(f -> f.length).sum();
        try {
            AtomicFolder.write(
                    folder,
                    bytes,
                    building -> {
                        // What lies beside a graph elsewhere is part of the encoding here.
                        try (FileChannel out =
                                FileChannel.open(
                                        building.resolve(MODEL),
                                        StandardOpenOption.CREATE_NEW,
                                        StandardOpenOption.WRITE)) {
                            onnx.writeTo(out);
                        }
                        for (Map.Entry<String, byte[]> file : files.entrySet()) {
                            Files.write(building.resolve(file.getKey()), file.getValue());
                        }
                    });
        } catch (WriteFailure e) {
            throw e.asConfigException();
        }
        return Stream.concat(Stream.of(MODEL), files.keySet().stream()).toList();
    }

    /**
     * The encoding of a model's table.
     *
     * @throws ConfigException if the model reads something else
     */
    public static TableEncoding table(LoadedModel model) {
        if (model.encoding() instanceof TableEncoding table) {
            ConfigException.check(
                    table.ofTerms().stream().noneMatch(Pairs.class::isInstance),
                    "--edge does not read pairs of LIBSVM files: take --onnx FILE, which has an"
                            + " encoding beside it");
            return table;
        }
        throw new ConfigException(
                "--edge is for models of tables, and %s reads %s: take --onnx FILE"
                        .formatted(model.folder(), model.encoding().reads()));
    }

    /** A folder of somebody else's is not replaced. */
    private static void requireOurs(Path folder) {
        try {
            if (Files.exists(folder)) {
                ConfigException.check(
                        Files.isDirectory(folder), "%s: is a file; name a folder", folder);
                try (Stream<Path> files = Files.list(folder)) {
                    ConfigException.check(
                            files.findAny().isEmpty() || Files.exists(folder.resolve(ENCODING)),
                            "%s: holds other files; name an empty folder, or one of an earlier"
                                    + " export",
                            folder);
                }
            }
        } catch (IOException e) {
            throw new ConfigException(folder + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static byte[] resource(String name) {
        String stored = name.endsWith(".java") ? name + ".template" : name;
        try (InputStream in = EdgeFolder.class.getResourceAsStream(stored)) {
            if (in == null) {
                throw new IllegalStateException("this build has no " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("this build's " + name + " cannot be read", e);
        }
    }
}
