package dev.medley.tenant.door;

import dev.medley.base.time.Clock;
import dev.medley.serving.http.ServeSocket;
import dev.medley.tenant.audit.AuditCheck;
import dev.medley.tenant.audit.AuditEntry;
import dev.medley.tenant.audit.AuditKind;
import dev.medley.tenant.audit.AuditRotation;
import dev.medley.tenant.read.SharedTables;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens a door over real tables for tests: {@code customers} of acme and of brown, and {@code
 * prices}, which acme alone reads.
 */
final class OpenDoor implements AutoCloseable {
    static final String A = "secret-of-acme-0123456789";
    static final String B = "secret-of-brown-0123456789";
    static final String OF_A = "id,tenant,name\n1,acme,ada\n2,acme,CANARY-A\n";
    static final String OF_B = "id,tenant,name\n3,brown,CANARY-B\n";
    static final String TABLE = "/warehouse/customers.csv";

    private static final String TABLES =
            """
            customers: {files: data/customers.csv, rows: "row.tenant == caller.tenant"}
            prices: {files: data/prices.csv, rows: "caller.level == 'high'"}
            broken: {files: data/broken.csv, types: {n: integer}, rows: "caller.level == 'high'"}
            """;

    private final Path folder;
    private final Path log;
    private final List<String> said = new ArrayList<>();
    private TenantDoor door;

    OpenDoor(Path folder) throws Exception {
        this(folder, folder.resolve("audit.jsonl"));
    }

    OpenDoor(Path folder, Path log) throws Exception {
        this.folder = folder;
        this.log = log;
        SharedTables shared = new SharedTables(folder);
        Files.writeString(folder.resolve("data/customers.csv"), OF_A + OF_B.substring(15));
        Files.writeString(folder.resolve("data/prices.csv"), "price\n1\n");
        Files.writeString(folder.resolve("data/broken.csv"), "n\n1\nCANARY-X\n");
        Files.writeString(folder.resolve("acme.key"), A);
        Files.writeString(folder.resolve("brown.key"), B + "\n");
        policies(shared, "");
        open();
    }

    private void policies(SharedTables shared, String more) throws IOException {
        shared.policies(
                TABLES,
                """
                acme: {secret: "file:acme.key", attributes: {tenant: acme, level: high}%s}
                brown: {secret: "file:brown.key", attributes: {tenant: brown}}
                """
                        .formatted(more));
    }

    /** What is said of acme's quotas, as {@code rows_per_day: 5}. */
    void quotas(String said) throws IOException {
        policies(new SharedTables(folder), ", quotas: {" + said + "}");
    }

    void open() throws Exception {
        open(ServeSocket.onLoopback(0));
    }

    /** At another place, or in TLS. */
    void open(ServeSocket where) throws Exception {
        door =
                TenantDoor.open(
                        folder.resolve("policies.yaml"),
                        log(),
                        AuditRotation.USUAL,
                        where,
                        name -> null,
                        Clock.system(),
                        said::add);
    }

    void reopen() throws Exception {
        door.close();
        open();
    }

    Path folder() {
        return folder;
    }

    Path log() {
        return log;
    }

    int port() {
        return door.address().getPort();
    }

    SignedCalls calls() {
        return new SignedCalls(port(), HttpClient.Version.HTTP_1_1);
    }

    /** What is wrong with the policies. */
    String trouble() {
        return door.trouble().orElse("");
    }

    /** What an operator is told. */
    String said() {
        return String.join("\n", said);
    }

    List<AuditEntry> entries(AuditKind kind) throws IOException {
        List<AuditEntry> all = new ArrayList<>();
        AuditCheck.of(log(), null, all::add);
        return all.stream().filter(each -> each.kind() == kind).toList();
    }

    /** What comes to bytes as they stand. */
    String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            OutputStream out = socket.getOutputStream();
            out.write(request.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    /** The first line that comes to the beginning of a request, of which no more is sent. */
    String toBeginning(String beginning) throws IOException {
        try (Socket socket = begun(beginning)) {
            return new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.ISO_8859_1))
                    .readLine();
        }
    }

    /** A connection on which a request has begun. */
    Socket begun(String beginning) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        socket.setSoTimeout(600_000);
        socket.getOutputStream().write(beginning.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** The headers of a request as they stand, up to where its body begins. */
    String rawHead(String method, String target, HttpRequest signed, int bytes) {
        StringBuilder head = new StringBuilder();
        head.append("%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n".formatted(method, target, port()));
        head.append("Content-Length: %d\r\n".formatted(bytes));
        signed.headers()
                .map()
                .forEach((name, values) -> head.append(name + ": " + values.get(0) + "\r\n"));
        return head + "\r\n";
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
