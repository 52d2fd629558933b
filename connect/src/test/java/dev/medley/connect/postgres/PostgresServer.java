package dev.medley.connect.postgres;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.connect.Secret;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a real PostgreSQL in a temporary folder, one for all tests of a process. */
public final class PostgresServer {
    private static final String USER = "medley";
    private static final String PASSWORD = "right";

    /** One whose password is not asked for: to prove one costs both sides 10 ms a connection. */
    private static final String TRUSTED = "trusted";

    private static final List<Path> PLACES =
            Stream.of("18", "17", "16", "15", "14", "13")
                    .map(v -> Path.of("/usr/lib/postgresql", v, "bin"))
                    .toList();
    private static final long TRANSACTIONS_PER_SEGMENT = 1 << 20;
    private static final int SEGMENT_BYTES = 1 << 18;
    private static @Nullable PostgresServer shared;

    private final Path programs;
    private final Path folder;
    private final int port;

    private PostgresServer(Path programs, Path folder, int port) {
        this.programs = programs;
        this.folder = folder;
        this.port = port;
    }

    /** The one of this process; the test is skipped where there is no PostgreSQL. */
    public static synchronized PostgresServer shared() throws IOException, InterruptedException {
        if (shared == null) {
            shared = start();
        }
        return shared;
    }

    /** Another one. */
    public static PostgresServer start() throws IOException, InterruptedException {
        Path programs =
                PLACES.stream()
                        .filter(p -> Files.isExecutable(p.resolve("initdb")))
                        .findFirst()
                        .orElse(Path.of("none"));
        assumeTrue(
                Files.exists(programs),
                "there is no PostgreSQL in /usr/lib/postgresql: install postgresql-15");
        Path folder = Files.createTempDirectory("medley-postgres");
        PostgresServer server = new PostgresServer(programs, folder, freePort());
        Path password = Files.writeString(folder.resolve("password"), PASSWORD);
        if (isRoot()) {
            UserPrincipal owner =
                    folder.getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByName("postgres");
            Files.setOwner(folder, owner);
            Files.setOwner(password, owner);
        }
        server.run(
                "initdb",
                "-D",
                server.data(),
                "-U",
                USER,
                "--auth=scram-sha-256",
                "--pwfile=" + password,
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync");
        Path rules = Path.of(server.data(), "pg_hba.conf");
        String trust = "host all %s 127.0.0.1/32 trust\n".formatted(TRUSTED);
        Files.write(rules, (trust + Files.readString(rules)).getBytes(StandardCharsets.UTF_8));
        Runtime.getRuntime().addShutdownHook(new Thread(server::remove));
        server.startAgain();
        return server;
    }

    /** Starts it after {@link #stop}. */
    public void startAgain() throws IOException, InterruptedException {
        run(
                "pg_ctl",
                "-D",
                data(),
                "-w",
                "-l",
                folder.resolve("log").toString(),
                "-o",
                "-p %d -c listen_addresses=127.0.0.1 -c unix_socket_directories=%s -c fsync=off"
                                .formatted(port, folder)
                        + " -c max_prepared_transactions=20 -c max_connections=60"
                        + " -c shared_buffers=64MB -c autovacuum=off",
                "start");
    }

    /** Stops it at once, as a crash would. */
    public void stop() throws IOException, InterruptedException {
        run("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
    }

    /** Makes {@code next} the number of its next transaction, in an epoch; it is stopped. */
    public void setTransaction(long next, int epoch) throws IOException, InterruptedException {
        run("pg_ctl", "-D", data(), "-m", "fast", "-w", "stop");
        run(
                "pg_resetwal",
                "-f",
                "-D",
                data(),
                "-e",
                String.valueOf(epoch),
                "-x",
                String.valueOf(next),
                "-u",
                String.valueOf(next - 1_000));
        Path segment =
                Path.of(data(), "pg_xact", "%04X".formatted(next / TRANSACTIONS_PER_SEGMENT));
        Files.write(segment, new byte[SEGMENT_BYTES]);
        if (isRoot()) {
            Files.setOwner(segment, Files.getOwner(Path.of(data())));
        }
    }

    /** Copies its data, while it is stopped. */
    public void copyData(String from, String to) throws IOException, InterruptedException {
        runProgram("rm", "-rf", folder.resolve(to).toString());
        runProgram("cp", "-a", folder.resolve(from).toString(), folder.resolve(to).toString());
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    /** A connection of the test's own. */
    public Connection connect(String database) throws SQLException {
        return connect(database, USER);
    }

    /** One that asks for no password, after {@link #makeTrusting}. */
    Connection connectTrusted(String database) throws SQLException {
        return connect(database, TRUSTED);
    }

    private Connection connect(String database, String user) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database), user, PASSWORD);
    }

    /** An empty database, and a user whose password nobody asks for. */
    void makeTrusting(String database) throws SQLException {
        make(database);
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("DROP ROLE IF EXISTS " + TRUSTED);
            statement.execute("CREATE ROLE " + TRUSTED + " LOGIN SUPERUSER");
        }
    }

    /** A table as a source that proves no password. */
    PostgresSource trustedSource(String database, String table) {
        return source(
                PostgresOptions.of(url(database), TRUSTED, new Secret("env:PASSWORD"), table));
    }

    /** An empty database. */
    public void make(String database) throws SQLException {
        try (Connection connection = connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + database + " WITH (FORCE)");
            statement.execute("CREATE DATABASE " + database);
        }
    }

    /** What is read of a table. */
    public PostgresOptions options(String database, String table) {
        return PostgresOptions.of(url(database), USER, new Secret("env:PASSWORD"), table);
    }

    /** A table as a source. */
    public PostgresSource source(String database, String table) {
        return source(options(database, table));
    }

    /** A table as a source. */
    public PostgresSource source(PostgresOptions options) {
        return new PostgresSource(options, name -> name.equals("PASSWORD") ? PASSWORD : null);
    }

    /** Where a database is. */
    public String url(String database) {
        return "postgresql://127.0.0.1:%d/%s".formatted(port, database);
    }

    private void run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(
                    List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"));
        }
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        runProgram(command.toArray(String[]::new));
    }

    private void runProgram(String... command) throws IOException, InterruptedException {
        File log = Files.createTempFile("medley-postgres", ".log").toFile();
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log)
                        .start();
        boolean ended = process.waitFor(2, TimeUnit.MINUTES);
        String said = Files.readString(log.toPath());
        Files.delete(log.toPath());
        if (!ended || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }

    private void remove() {
        try {
            stop();
        } catch (IOException | InterruptedException e) {
            // It is stopped already.
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println(folder + " stays: " + e);
        }
    }

    private static boolean isRoot() throws IOException {
        try (InputStream id = new ProcessBuilder("id", "-u").start().getInputStream()) {
            return new String(id.readAllBytes(), StandardCharsets.UTF_8).strip().equals("0");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
