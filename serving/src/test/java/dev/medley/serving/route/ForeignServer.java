package dev.medley.serving.route;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Speaks HTTP/1.1 on loopback as somebody else's server of the protocol does, and answers each path
 * as it is told, or breaks off in the middle, or hangs.
 */
final class ForeignServer implements AutoCloseable {
    /** Instead of a status and a body: reads the request and closes the connection. */
    static final String BREAKS = "breaks";

    /** Instead of a status and a body: reads the request and says nothing more. */
    static final String HANGS = "hangs";

    /** Instead of a status and a body: an event, and another one when it is told to go on. */
    static final String STREAMS = "streams";

    /** Instead of a status and a body: an event, and then it closes the connection. */
    static final String HALF = "half";

    private static final String EVENT = "data: {\"text_output\":\"%s\"}\n\n";

    private final ServerSocket socket;
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger posts = new AtomicInteger();

    /** Answers are a status and a body with a space between them, by path; 404 for others. */
    ForeignServer(Map<String, String> answers) throws IOException {
        this.answers.putAll(answers);
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::accept, "foreign-server");
        thread.setDaemon(true);
        thread.start();
    }

    String address() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    /** Requests with a body that came. */
    int posts() {
        return posts.get();
    }

    void answers(String path, String answer) {
        answers.put(path, answer);
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                open.add(connection);
                Thread thread = new Thread(() -> serve(connection), "foreign-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            for (String first = line(in); !first.isEmpty(); first = line(in)) {
                int length = 0;
                for (String header = line(in); !header.isEmpty(); header = line(in)) {
                    if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                        length = Integer.parseInt(header.substring(15).strip());
                    }
                }
                in.readNBytes(length);
                String answer = answers.getOrDefault(pathOf(first), "404 nothing");
                if (first.startsWith("POST")) {
                    posts.incrementAndGet();
                }
                if (first.startsWith("PRI")) { // The preface of HTTP/2.
                    answer = "505 HTTP/1.1 is spoken here";
                }
                if (answer.equals(HANGS)) {
                    in.read();
                }
                if (answer.equals(BREAKS) || answer.equals(HANGS)) {
                    return;
                }
                if (answer.equals(STREAMS) || answer.equals(HALF)) {
                    stream(connection, answer.equals(STREAMS));
                    return;
                }
                String body = answer.substring(4);
                String whole =
                        "HTTP/1.1 %s it\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                                .formatted(answer.substring(0, 3), body.length(), body);
                connection.getOutputStream().write(whole.getBytes(ISO_8859_1));
                if (first.startsWith("PRI")) {
                    return;
                }
            }
        } catch (IOException e) {
            // The other side closed it.
        } finally {
            open.remove(connection);
        }
    }

    private void stream(Socket connection, boolean isWhole) throws IOException {
        OutputStream out = connection.getOutputStream();
        String head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding:"
                        + " chunked\r\n\r\n";
        out.write(head.getBytes(ISO_8859_1));
        chunk(out, EVENT.formatted("first"));
        if (isWhole) {
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            chunk(out, EVENT.formatted("second"));
            out.write("0\r\n\r\n".getBytes(ISO_8859_1));
        }
        out.flush();
    }

    private static void chunk(OutputStream out, String text) throws IOException {
        String whole = "%x\r\n%s\r\n".formatted(text.length(), text);
        out.write(whole.getBytes(ISO_8859_1));
        out.flush();
    }

    /** Streams go on. */
    void goOn() {
        goesOn.countDown();
    }

    private static String pathOf(String first) {
        int from = first.indexOf(' ') + 1;
        return first.substring(from, first.indexOf(' ', from));
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket connection : open) {
            connection.close();
        }
    }
}
