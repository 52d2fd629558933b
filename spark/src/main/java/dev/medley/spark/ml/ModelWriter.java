package dev.medley.spark.ml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.util.DefaultParamsReader;
import org.apache.spark.ml.util.DefaultParamsReader$;
import org.apache.spark.ml.util.DefaultParamsWriter$;
import org.apache.spark.ml.util.MLReader;
import org.apache.spark.ml.util.MLWriter;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/**
 * Writes a model as Spark ML does, wherever Hadoop's file systems reach: its parameters, and beside
 * them the folder that {@code medley predict} reads.
 */
final class ModelWriter extends MLWriter {
    private static final String FILES = "medley";

    private final Params model;
    private final ModelFiles files;

    ModelWriter(Params model, ModelFiles files) {
        this.model = model;
        this.files = files;
    }

    @Override
    public void saveImpl(String path) {
        SparkSession session = sparkSession();
        DefaultParamsWriter$.MODULE$.saveMetadata(model, path, session);
        try {
            FileSystem system = system(path, session);
            for (Map.Entry<String, byte[]> file : files.all().entrySet()) {
                Path to = new Path(new Path(path, FILES), file.getKey());
                try (FSDataOutputStream out = system.create(to, true)) {
                    out.write(file.getValue());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(path + ": cannot be written: " + e.getMessage(), e);
        }
    }

    private static FileSystem system(String path, SparkSession session) throws IOException {
        Configuration hadoop = session.sparkContext().hadoopConfiguration();
        return FileSystem.get(new Path(path).toUri(), hadoop);
    }

    /** Makes a model of a name and its files. */
    interface Maker<M> {
        M of(String uid, ModelFiles files);
    }

    /** Reads what a writer wrote. */
    static <M extends Params> MLReader<M> reader(Class<M> type, Maker<M> maker) {
        return new MLReader<>() {
            @Override
            public M load(String path) {
                DefaultParamsReader.Metadata metadata =
                        DefaultParamsReader$.MODULE$.loadMetadata(
                                path, sparkSession(), type.getName());
                M model = maker.of(metadata.uid(), files(path, sparkSession()));
                metadata.getAndSetParams(model, Option.empty());
                return model;
            }
        };
    }

    private static ModelFiles files(String path, SparkSession session) {
        Map<String, byte[]> found = new TreeMap<>();
        try {
            FileSystem system = system(path, session);
            Path root = system.makeQualified(new Path(path, FILES));
            RemoteIterator<LocatedFileStatus> all = system.listFiles(root, true);
            while (all.hasNext()) {
                LocatedFileStatus file = all.next();
                String name = relative(root.toUri(), file.getPath().toUri());
                byte[] bytes = new byte[Math.toIntExact(file.getLen())];
                try (FSDataInputStream in = system.open(file.getPath())) {
                    in.readFully(bytes);
                }
                found.put(name, bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(path + ": cannot be read: " + e.getMessage(), e);
        }
        return ModelFiles.of(found);
    }

    private static String relative(URI root, URI file) {
        return file.getPath().substring(root.getPath().length() + 1);
    }
}
