package dev.medley.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.job.StoreUrl;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.BlockOrigin;
import dev.medley.data.shard.OriginGoneException;
import dev.medley.net.files.FilesClient;
import dev.medley.store.object.ObjectStore;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a prepared set from where it is whole: the object store of the run, else the coordinator.
 * Nothing is opened before a block is asked for. A connection that failed is not used again: an
 * earlier request may still be answered on it, and the answer would be taken for that to the next
 * request.
 *
 * <p>Thread: any; requests follow each other. {@link #close} ends one that is under way.
 */
public final class DataOrigin implements BlockOrigin, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataOrigin.class);

    private final String key;
    private final String where;
    private final Opening opening;
    private final Retries.Pause pause;
    private @Nullable Source source;
    private volatile Runnable ending = () -> {};
    private volatile boolean isClosed;

    /** What stretches of files are read from. */
    public interface Source extends AutoCloseable {
        byte[] read(String name, long offset, int bytes) throws IOException;

        /** Ends a read that another thread waits for, if that can be done. */
        default void interrupt() {}

        @Override
        void close();
    }

    /** Connects. */
    public interface Opening {
        Source open() throws IOException;
    }

    /** A connection to the coordinator's files. */
    public interface Files {
        FilesClient open() throws IOException;

        /**
         * The same in mid-run: a certificate that has expired since is trouble on the way like any
         * other, of this worker alone.
         */
        default FilesClient openAgain() throws IOException {
            try {
                return open();
            } catch (ConfigException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    DataOrigin(String key, String where, Opening opening, Retries.Pause pause) {
        this.key = key;
        this.where = where;
        this.opening = opening;
        this.pause = pause;
    }

    /**
     * The origin of a set.
     *
     * @param data as the coordinator has it
     * @param depot where it was put; null for nowhere
     * @param files how the coordinator is asked
     */
    public static DataOrigin of(PreparedData data, @Nullable StoreUrl depot, Files files) {
        Opening opening =
                depot == null
                        ? () -> asking(files.openAgain())
                        : () -> asking(ObjectStore.open(depot, System::getenv));
        String where = depot == null ? "the coordinator" : depot.toString();
        return new DataOrigin(data.key(), where, opening, Retries.Pause.REAL);
    }

    private static Source asking(FilesClient files) {
        return new Source() {
            @Override
            public byte[] read(String name, long offset, int bytes) throws IOException {
                return files.read(name, offset, bytes);
            }

            @Override
            public void interrupt() {
                files.close();
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
        Retries retries = new Retries(pause);
        while (true) {
            try {
                return opened().read(key + "/" + file, offset, bytes);
            } catch (IOException e) {
                drop();
                String what =
                        "%d bytes of %s from %d on cannot be fetched from %s: %s"
                                .formatted(bytes, file, offset, where, e.getMessage());
                if (isClosed || !retries.waits()) {
                    throw new OriginGoneException(what, e);
                }
                LOG.warn("{}; tried again", what);
            }
        }
    }

    private Source opened() throws IOException {
        if (isClosed) {
            throw new IOException("this worker ends");
        }
        Source open = source == null ? opening.open() : source;
        source = open;
        ending = open::interrupt;
        return open;
    }

    private void drop() {
        if (source != null) {
            source.close();
            source = null;
        }
    }

    @Override
    public void close() {
        isClosed = true;
        ending.run();
        synchronized (this) {
            drop();
        }
    }
}
