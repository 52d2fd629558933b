package dev.medley.net.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.net.door.Recognition.Known;
import dev.medley.net.door.Recognition.UnprovenException;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("unit")
@Timeout(600)
class RecognitionTest {
    private static final byte[] FRAME = "frame".getBytes(StandardCharsets.UTF_8);

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void shouldGiveBothSidesTheSameKeysAndNeverSayTheSecret() throws Exception {
        CompletableFuture<Known> host = new CompletableFuture<>();
        Known caller = meet(JoinSecret.ofRun("a secret"), JoinSecret.ofRun("a secret"), host);
        Known known = host.get(120, TimeUnit.SECONDS);
        assertThat(caller.kind()).isEqualTo(known.kind()).isEqualTo(JoinSecret.Kind.RUN);
        byte[] first = caller.fromCaller().sign(FRAME);
        byte[] second = caller.fromCaller().sign(FRAME);
        assertThat(first).isNotEqualTo(second);
        assertThat(known.fromCaller().isSigned(FRAME, first)).isTrue();
        assertThat(known.fromCaller().isSigned(FRAME, first)).as("said again").isFalse();
        assertThat(caller.fromHost().isSigned(FRAME, known.fromCaller().sign(FRAME)))
                .as("handed back")
                .isFalse();
        assertThat(said.toString(StandardCharsets.ISO_8859_1)).doesNotContain("a secret");
    }

    @Test
    void whoListensWithoutTheSecretShouldBeFoundOutBeforeTheCallerProvesAnything() {
        CompletableFuture<Known> host = new CompletableFuture<>();
        assertThatThrownBy(
                        () ->
                                meet(
                                        JoinSecret.ofCluster("ours"),
                                        JoinSecret.ofCluster("theirs"),
                                        host))
                .isInstanceOf(UnprovenException.class)
                .hasMessageContaining("the join token, which this side knows, is not known to");
        assertThatThrownBy(() -> host.get(120, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("was turned away: it does not know the join token");
    }

    /** A secret of one kind opens nothing of another, even where the two are alike. */
    @Test
    void aPassOfAnotherKindShouldNotLetIn() {
        CompletableFuture<Known> host = new CompletableFuture<>();
        assertThatThrownBy(() -> meet(JoinSecret.ofRun("same"), JoinSecret.ofCluster("same"), host))
                .isInstanceOf(UnprovenException.class);
        assertThatThrownBy(() -> host.get(120, TimeUnit.SECONDS))
                .hasMessageContaining("it does not know the secret of the run");
    }

    @Test
    void whoSaysWhatTheOtherSaidShouldNotGetIn() throws Exception {
        PipedInputStream toHost = new PipedInputStream(1 << 12);
        OutputStream callers = new PipedOutputStream(toHost);
        PipedInputStream toCaller = new PipedInputStream(1 << 12);
        OutputStream hosts = new PipedOutputStream(toCaller);
        CompletableFuture<Known> host = host(toHost, hosts, JoinSecret.ofRun("secret"));
        callers.write("MedleyC1".getBytes(StandardCharsets.US_ASCII));
        callers.write(0);
        callers.write(new byte[32]);
        byte[] answer = toCaller.readNBytes(72);
        callers.write(answer, 40, 32); // The host's own proof, in the place of the caller's.
        assertThatThrownBy(() -> host.get(120, TimeUnit.SECONDS))
                .hasMessageContaining("was turned away");
    }

    private Known meet(JoinSecret callers, JoinSecret hosts, CompletableFuture<Known> host)
            throws Exception {
        PipedInputStream toHost = new PipedInputStream(1 << 12);
        PipedInputStream toCaller = new PipedInputStream(1 << 12);
        OutputStream fromCaller = new PipedOutputStream(toHost);
        OutputStream fromHost = new PipedOutputStream(toCaller);
        host(heard(toHost), fromHost, hosts)
                .whenComplete(
                        (known, e) -> {
                            if (e == null) {
                                host.complete(known);
                            } else {
                                host.completeExceptionally(e);
                            }
                        });
        try {
            return Recognition.asCaller(heard(toCaller), fromCaller, callers, "there");
        } finally {
            fromCaller.close();
        }
    }

    private static CompletableFuture<Known> host(
            InputStream in, OutputStream out, JoinSecret pass) {
        CompletableFuture<Known> known = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                Map<JoinSecret.Kind, JoinSecret> passes = Map.of(pass.kind(), pass);
                                known.complete(Recognition.asHost(in, out, passes, "a caller"));
                            } catch (IOException e) {
                                known.completeExceptionally(e);
                            }
                        });
        thread.setDaemon(true);
        thread.start();
        return known;
    }

    /** Whatever goes by is kept. */
    private InputStream heard(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read(byte[] bytes, int from, int length) throws IOException {
                int count = super.read(bytes, from, length);
                synchronized (said) {
                    said.write(bytes, from, Math.max(0, count));
                }
                return count;
            }
        };
    }
}
