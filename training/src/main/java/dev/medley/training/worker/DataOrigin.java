package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.net.files.FilesClient;
import dev.medley.store.dataset.PreparedData;
import dev.medley.store.object.ObjectStore;
import dev.medley.store.shard.BlockOrigin;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where a prepared set is whole: in the object store of the run, else with the coordinator. Nothing
 * is opened before a block is asked for.
 *
 * <p>Thread: any; requests follow each other.
 */
final class DataOrigin implements BlockOrigin, AutoCloseable {
    private final String key;
    private final String where;
    private final Opening opening;
    private @Nullable Source source;

    /** What stretches of files are read from. */
    private interface Source extends AutoCloseable {
        byte[] read(String name, long offset, int bytes) throws IOException;

        @Override
        void close();
    }

    /** Connects. */
    private interface Opening {
        Source open() throws IOException;
    }

    /** A connection to the coordinator's files. */
    interface Files {
        FilesClient open() throws IOException;
    }

    private DataOrigin(PreparedData data, String where, Opening opening) {
        this.key = data.key();
        this.where = where;
        this.opening = opening;
    }

    /**
     * The origin of a set.
     *
     * @param data as the coordinator has it
     * @param depot where it was put; null for nowhere
     * @param files how the coordinator is asked
     */
    static DataOrigin of(PreparedData data, @Nullable StoreUrl depot, Files files) {
        return depot == null
                ? new DataOrigin(data, "the coordinator", () -> asking(files.open()))
                : new DataOrigin(
                        data,
                        depot.toString(),
                        () -> asking(ObjectStore.open(depot, System::getenv)));
    }

    private static Source asking(FilesClient files) {
        return new Source() {
            @Override
            public byte[] read(String name, long offset, int bytes) throws IOException {
                return files.read(name, offset, bytes);
            }

            @Override
            public void close() {
                files.close();
            }
        };
    }

    private static Source asking(ObjectStore store) {
        return new Source() {
            @Override
            public byte[] read(String name, long offset, int bytes) throws IOException {
                return store.read(name, offset, bytes);
            }

            @Override
            public void close() {
                store.close();
            }
        };
    }

    @Override
    public synchronized byte[] read(String file, long offset, int bytes) {
        try {
            Source open = source == null ? opening.open() : source;
            source = open;
            return open.read(key + "/" + file, offset, bytes);
        } catch (IOException e) {
            throw new ConfigException(
                    "%d bytes of %s from %d on cannot be fetched from %s: %s"
                            .formatted(bytes, file, offset, where, e.getMessage()),
                    e);
        }
    }

    @Override
    public synchronized void close() {
        if (source != null) {
            source.close();
        }
    }
}
