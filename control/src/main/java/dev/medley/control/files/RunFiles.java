package dev.medley.control.files;

import dev.medley.base.ConfigException;
import dev.medley.base.text.Units;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.KeptState;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FileAnswer;
import dev.medley.net.control.Message.FileRequest;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.door.JoinSecret;
import dev.medley.store.file.AtomicFolder;
import dev.medley.store.file.Checksum;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the files of shipments, and keeps the folders that workers bring. A folder is kept whole
 * or not at all, only under a name that a run has room for, and never in place of a later state of
 * the run. Only callers that know the run's secret are served.
 *
 * <p>Thread: any; requests of one connection come in order.
 */
public final class RunFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RunFiles.class);
    private static final Pattern BROUGHT = Pattern.compile("model|checkpoints/step-\\d{9,18}");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final String INCOMING = ".incoming";
    private static final long RESERVE_BYTES = 64 << 20;

    private final Path run;
    private final Kept kept;
    private final Map<String, Path> given = new ConcurrentHashMap<>();
    private final Map<ControlConnection, Integer> bringers = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<String, String> digests = new ConcurrentHashMap<>();

    /** Of the folders that were brought; a folder is put in its place under the lock of this. */
    private final Map<String, KeptState> states = new ConcurrentHashMap<>();

    /** Hears of a folder that is whole in its place; on the connection's thread. */
    @FunctionalInterface
    public interface Kept {
        /** The folder, below the run's. */
        void kept(Path folder);
    }

    /**
     * The files of the run in {@code run}, which this process alone coordinates.
     *
     * @param kept told of what was brought
     */
    public RunFiles(Path run, Kept kept) {
        this.run = run.toAbsolutePath();
        this.kept = kept;
        remove(this.run.resolve(INCOMING)); // What came in part to a process that was killed.
    }

    /** From now on the files of {@code shipment} are given to those who ask. */
    public void give(Shipment shipment) {
        shipment.bytes().keySet().forEach(n -> given.put(name(shipment, n), shipment.file(n)));
    }

    /** The name by which a file of a shipment is asked for. */
    public static String name(Shipment shipment, String file) {
        return shipment.key() + "/" + file;
    }

    /** Serves what is about files; everything else goes to {@code others}. */
    public ControlConnection.Handler before(ControlConnection.Handler others) {
        return new ControlConnection.Handler() {
            @Override
            public void received(ControlConnection from, Message message) {
                if (message instanceof FileRequest request) {
                    serve(from, request);
                } else {
                    others.received(from, message);
                }
            }

            @Override
            public void closed(ControlConnection connection, String why) {
                forget(connection);
                others.closed(connection, why);
            }
        };
    }

    /** Does what is asked and answers. */
    private void serve(ControlConnection from, FileRequest request) {
        ProtocolException.check(
                from.kind() == JoinSecret.Kind.RUN,
                "an agent asks for files as if it were a worker");
        try {
            from.send(answer(from, request));
        } catch (IOException | ConfigException e) {
            LOG.warn("a worker's files: {}", e.toString());
            from.send(new Message.Refused(String.valueOf(e.getMessage())));
        }
    }

    private FileAnswer answer(ControlConnection from, FileRequest request) throws IOException {
        if (request instanceof Message.Fetch fetch) {
            return piece(fetch);
        } else if (request instanceof Message.AskDigest ask) {
            return new Message.Digest(digest(ask.file()));
        } else if (request instanceof Message.Bring bring) {
            return take(of(from), bring);
        } else if (request instanceof Message.Keep keep) {
            return keep(of(from), keep);
        } else if (request instanceof Message.AskKept ask) {
            require(BROUGHT, ask.folder());
            return Files.isDirectory(run.resolve(ask.folder()))
                    ? new Message.Kept(states.getOrDefault(ask.folder(), KeptState.UNKNOWN))
                    : new Message.Refused("not kept");
        }
        throw new IllegalStateException("unknown request " + request);
    }

    /** Where the files come in that this connection brings. */
    private Path of(ControlConnection from) {
        int bringer = bringers.computeIfAbsent(from, any -> numbers.incrementAndGet());
        return run.resolve(INCOMING).resolve(Integer.toString(bringer));
    }

    private FileAnswer piece(Message.Fetch fetch) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(fetch.bytes());
        try (FileChannel channel = FileChannel.open(file(fetch.file()))) {
            long offset = fetch.offset();
            while (bytes.hasRemaining()) {
                int read = channel.read(bytes, offset + bytes.position());
                if (read < 0) {
                    break;
                }
            }
        }
        byte[] piece = new byte[bytes.flip().remaining()];
        bytes.get(piece);
        return new Message.Piece(piece);
    }

    private String digest(String name) throws IOException {
        String known = digests.get(name);
        if (known == null) {
            known = Checksum.of(file(name), Checksum.Kind.SHA256);
            digests.put(name, known);
        }
        return known;
    }

    private Path file(String name) throws IOException {
        Path file = given.get(name);
        if (file == null) {
            throw new IOException("this run gives no file " + name);
        }
        return file;
    }

    private FileAnswer take(Path incoming, Message.Bring bring) throws IOException {
        require(BROUGHT, bring.folder());
        require(PLAIN, bring.file());
        Path file = incoming.resolve(bring.folder()).resolve(bring.file());
        Files.createDirectories(file.getParent());
        if (bring.offset() == 0) {
            requireRoom(file, bring);
        } else if (!Files.exists(file) || Files.size(file) != bring.offset()) {
            throw new IOException(
                    "%s does not go on at byte %d".formatted(bring.file(), bring.offset()));
        }
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (bring.offset() == 0) {
                channel.truncate(0);
            }
            ByteBuffer bytes = ByteBuffer.wrap(bring.bytes());
            long offset = bring.offset();
            while (bytes.hasRemaining()) {
                offset += channel.write(bytes, offset);
            }
        }
        return new Message.Received();
    }

    /** What is announced has to fit; what comes is never more than what was announced. */
    private static void requireRoom(Path file, Message.Bring bring) throws IOException {
        Path folder = file.getParent();
        long free = Files.getFileStore(folder).getUsableSpace();
        if (bring.fileBytes() > free - RESERVE_BYTES) {
            throw new IOException(
                    "%s has %s, and %s of room is left where the run is kept"
                            .formatted(
                                    bring.file(),
                                    Units.bytes(bring.fileBytes()),
                                    Units.bytes(free)));
        }
        try (Stream<Path> others = Files.list(folder)) {
            if (others.count() >= Message.MOST_FILES) {
                throw new IOException(
                        "a folder of more than %d files".formatted(Message.MOST_FILES));
            }
        }
    }

    /** Removes what a caller brought in part, and left. */
    private void forget(ControlConnection connection) {
        Integer bringer = bringers.remove(connection);
        if (bringer == null) {
            return;
        }
        remove(run.resolve(INCOMING).resolve(Integer.toString(bringer)));
    }

    private static void remove(Path brought) {
        try (Stream<Path> all = Files.walk(brought)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("{} stays", brought, e);
        }
    }

    private FileAnswer keep(Path incoming, Message.Keep keep) throws IOException {
        require(BROUGHT, keep.folder());
        Path brought = incoming.resolve(keep.folder());
        for (Map.Entry<String, String> file : keep.sha256().entrySet()) {
            require(PLAIN, file.getKey());
            Path path = brought.resolve(file.getKey());
            String sha256 = Checksum.of(path, Checksum.Kind.SHA256);
            if (!sha256.equals(file.getValue())) {
                throw new IOException(
                        "%s came with SHA-256 %s, it has %s"
                                .formatted(file.getKey(), sha256, file.getValue()));
            }
        }
        Path target = run.resolve(keep.folder());
        synchronized (states) {
            KeptState there = states.getOrDefault(keep.folder(), KeptState.UNKNOWN);
            if (keep.of().isBefore(there) && Files.isDirectory(target)) {
                LOG.info("{}: what came of {} is left out for {}", target, keep.of(), there);
                remove(brought);
                return new Message.Received();
            }
            try {
                // It is on this disk already, and needs no room a second time.
                AtomicFolder.write(target, 0, into -> move(brought, into, keep.sha256()));
            } catch (WriteFailure e) {
                throw new IOException(e.getMessage(), e);
            }
            states.put(keep.folder(), keep.of());
        }
        LOG.info("kept {}", target);
        kept.kept(target);
        return new Message.Received();
    }

    private static void move(Path from, Path into, Map<String, String> files) throws IOException {
        for (String name : files.keySet()) {
            Files.move(from.resolve(name), into.resolve(name));
        }
    }

    private static void require(Pattern pattern, String name) throws IOException {
        if (!pattern.matcher(name).matches()) {
            throw new IOException("a run keeps nothing by the name of " + name);
        }
    }
}
