package dev.medley.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.data.shard.OriginGoneException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class DataOriginTest {
    private final Deque<String> answers = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();

    private final DataOrigin origin =
            new DataOrigin("data-1", "the coordinator", this::open, s -> told.add("wait " + s));

    @Test
    void oneConnectionShouldServeAllAndNoneBeOpenedBefore() {
        assertThat(told).isEmpty();
        answers.addAll(List.of("ab", "cd"));
        assertThat(origin.read("train", 0, 2)).isEqualTo("ab".getBytes(StandardCharsets.UTF_8));
        assertThat(origin.read("train", 2, 2)).isEqualTo("cd".getBytes(StandardCharsets.UTF_8));
        origin.close();
        assertThat(told).containsExactly("open", "data-1/train 0+2", "data-1/train 2+2", "close");
    }

    /** Or else the late answers would be taken for those to the next question. */
    @Test
    void afterAFailureThereShouldBeANewConnection() {
        answers.addAll(List.of("late!", "ab"));
        assertThat(origin.read("train", 0, 2)).isEqualTo("ab".getBytes(StandardCharsets.UTF_8));
        assertThat(told)
                .containsExactly(
                        "open", "data-1/train 0+2", "close", "wait 1", "open", "data-1/train 0+2");
    }

    @Test
    void whatCannotBeHadShouldBeGivenUpInTime() {
        assertThatThrownBy(() -> origin.read("train", 7, 2))
                .isInstanceOf(OriginGoneException.class)
                .hasMessage(
                        "2 bytes of train from 7 on cannot be fetched from the coordinator: gone");
        assertThat(told).contains("wait 1", "wait 5", "wait 20").doesNotContain("wait 0");
        assertThat(told.stream().filter("open"::equals)).hasSize(4);
    }

    @Test
    void closingShouldEndAReadThatHangs() {
        CompletableFuture<Boolean> hangs = new CompletableFuture<>();
        CompletableFuture<Boolean> ends = new CompletableFuture<>();
        DataOrigin hanging =
                new DataOrigin(
                        "data-1",
                        "the coordinator",
                        () ->
                                new DataOrigin.Source() {
                                    @Override
                                    public byte[] read(String name, long offset, int bytes)
                                            throws IOException {
                                        hangs.complete(true);
                                        throw new IOException("closed: " + ends.join());
                                    }

                                    @Override
                                    public void interrupt() {
                                        ends.complete(true);
                                    }

                                    @Override
                                    public void close() {}
                                },
                        s -> told.add("wait " + s));
        CompletableFuture<byte[]> read =
                CompletableFuture.supplyAsync(() -> hanging.read("train", 0, 2));
        assertThat(hangs.orTimeout(10, TimeUnit.SECONDS).join()).isTrue();
        hanging.close();
        assertThatThrownBy(() -> read.get(120, TimeUnit.SECONDS))
                .hasCauseInstanceOf(OriginGoneException.class);
        assertThat(told).isEmpty();
    }

    private DataOrigin.Source open() {
        told.add("open");
        return new DataOrigin.Source() {
            @Override
            public byte[] read(String name, long offset, int bytes) throws IOException {
                told.add(name + " " + offset + "+" + bytes);
                String answer = answers.isEmpty() ? "gone" : answers.remove();
                if (answer.length() != bytes) {
                    throw new IOException(answer);
                }
                return answer.getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public void close() {
                told.add("close");
            }
        };
    }
}
