package dev.medley.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsTest {
    @TempDir Path folder;

    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldReadWhatItWrote(long seed) throws Exception {
        List<NamedSpan> spans = Spans.ofEveryType(seed);
        Safetensors read = Safetensors.open(write(spans));
        assertThat(Spans.describe(read.namedSpans())).isEqualTo(Spans.describe(spans));
        assertThat(read.metadata()).isEqualTo(Map.of("who", "me"));
    }

    @Test
    @Tag("unit")
    void shouldFollowTheSpecification() throws Exception {
        Path file = write(Spans.ofEveryType(1));
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int headerBytes = (int) bytes.getLong(0);
        String header = new String(bytes.array(), 8, headerBytes, StandardCharsets.UTF_8);
        assertThat(header)
                .startsWith(
                        "{\"__metadata__\":{\"who\":\"me\"},"
                                + "\"moments\":{\"dtype\":\"F64\",\"shape\":[4],"
                                + "\"data_offsets\":[0,32]},"
                                + "\"steps\":{\"dtype\":\"I64\",\"shape\":[],"
                                + "\"data_offsets\":[32,40]},"
                                + "\"layers.0.weight\":{\"dtype\":\"F32\",\"shape\":[3,5],"
                                + "\"data_offsets\":[40,100]},");
        assertThat((8 + headerBytes) % 64).isZero();
        for (StoredTensor tensor : Safetensors.open(file).tensors()) {
            assertThat(tensor.data().bytes() % tensor.type().bytes()).isZero();
        }
    }

    @Test
    @Tag("unit")
    void shouldWidenHalfPrecision() throws Exception {
        ByteBuffer data = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        for (int bits : new int[] {0x3FC0, 0xC000, 0x7F80, 0x0001}) { // 1.5, -2, infinity, 2^-133
            data.putShort((short) bits);
        }
        for (int bits : new int[] {0x3E00, 0xC000, 0xFC00, 0x0001}) { // 1.5, -2, -infinity, 2^-24
            data.putShort((short) bits);
        }
        Path file =
                raw(
                        "{\"b\":{\"dtype\":\"BF16\",\"shape\":[4],\"data_offsets\":[0,8]},"
                            + "\"h\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":[8,16]}}",
                        data.array());
        List<NamedSpan> wide = Safetensors.open(file).namedSpans();
        assertThat(floats(wide.get(0)))
                .containsExactly(1.5f, -2f, Float.POSITIVE_INFINITY, 0x1p-133f);
        assertThat(floats(wide.get(1)))
                .containsExactly(1.5f, -2f, Float.NEGATIVE_INFINITY, 0x1p-24f);
    }

    @ParameterizedTest
    @Tag("unit")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]} | not JSON",
                "[1] | not a JSON object",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]}} {} | goes on after"
                        + " its end",
                "{\"a\":3} | a.dtype \"\" is unknown",
                "{\"a\":{\"dtype\":\"F99\",\"shape\":[2],\"data_offsets\":[0,8]}} | a.dtype \"F99\""
                        + " is unknown",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}} | a needs 12"
                        + " bytes and has 8",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}} | a.shape holds"
                        + " -2",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2.5],\"data_offsets\":[0,8]}} | a.shape holds"
                        + " 2.5",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,8]}}"
                    + " | longer than any memory",
                "{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,8]}} | a.shape is missing",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}} | not a begin and"
                        + " an end",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
                        + "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}"
                        + " | b overlaps",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}} | a leaves a gap",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}} | take 4 bytes,"
                        + " it holds 8",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}} | take 16 bytes,"
                        + " it holds 8",
                "{\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]},\"a\":{}} | not"
                        + " JSON: Duplicate",
                "{\"__metadata__\":{\"k\":1},\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]}}"
                    + " | __metadata__.k is not text"
            })
    void shouldRefuseABrokenHeader(String header, String message) throws Exception {
        Path file = raw(header, new byte[8]);
        assertThatThrownBy(() -> Safetensors.open(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(file + ": not a whole safetensors file: ")
                .hasMessageContaining(message);
    }

    /** The format allows them, but what is read of one takes many times its bytes. */
    @Test
    @Tag("unit")
    void shouldSayWhatToDoAboutAHeaderThatIsTooLong() throws Exception {
        int most = 16 << 20;
        String header = "{\"__metadata__\":{\"k\":\"" + "x".repeat(most) + "\"}}";
        Path file = raw(header, new byte[0]);
        assertThatThrownBy(() -> Safetensors.open(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("up to 16,777,216 are read: save it with fewer arrays");
    }

    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldReadOrRefuseWhateverTheDamage(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        byte[] whole = Files.readAllBytes(write(Spans.ofEveryType(seed)));
        for (int i = 0; i < 200; i++) {
            byte[] damaged = Arrays.copyOf(whole, random.nextInt(whole.length) + 1);
            for (int flips = random.nextInt(3); flips > 0; flips--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            Path file = Files.write(folder.resolve("damaged-" + i), damaged);
            try {
                Safetensors.open(file).namedSpans();
            } catch (ConfigException refused) {
                assertThat(refused).hasMessageContaining(file.toString());
            }
            if (damaged.length < whole.length) {
                assertThatThrownBy(() -> Safetensors.open(file))
                        .isInstanceOf(ConfigException.class);
            }
        }
    }

    @Test
    @Tag("unit")
    void shouldMapArraysBeyondTwoGigabytes() throws Exception {
        long bytes = 3L << 30;
        Path file =
                raw(
                        "{\"big\":{\"dtype\":\"U8\",\"shape\":[%d],\"data_offsets\":[0,%d]}}"
                                .formatted(bytes, bytes),
                        new byte[0]);
        long start = Files.size(file);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(start + bytes);
            sparse.seek(start + bytes - 1);
            sparse.write(42);
        }
        Span big = Safetensors.open(file).namedSpans().get(0).data();
        assertThat(big.bytes()).isEqualTo(bytes);
        assertThat(big.slice(bytes - 1, 1).buffer().get(0)).isEqualTo((byte) 42);
    }

    @Test
    @Tag("unit")
    void shouldWriteArraysBeyondTwoGigabytesWithoutCopies() throws Exception {
        Path sparse = folder.resolve("sparse");
        try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
            file.setLength(Span.CHUNK_BYTES);
        }
        ByteBuffer chunk = MappedFile.map(sparse).buffer();
        Span big = Span.ofChunks(List.of(chunk, chunk, chunk));
        NamedSpan named = new NamedSpan("big", ElementType.UINT8, new long[] {3, 1 << 30}, big);
        SafetensorsWriter writer = new SafetensorsWriter(Map.of(), List.of(named));
        Counting counting = new Counting();
        writer.writeTo(counting);
        assertThat(counting.bytes).isEqualTo(writer.fileBytes()).isGreaterThan(3L << 30);
    }

    @Test
    @Tag("unit")
    void shouldRefuseTwoArraysOfOneName() {
        NamedSpan a = Spans.random(1, "a", ElementType.FLOAT32, 2);
        assertThatThrownBy(() -> new SafetensorsWriter(Map.of(), List.of(a, a)))
                .hasMessage("two arrays are named a");
    }

    @Test
    @Tag("real")
    void shouldBeReadByPython() throws Exception {
        Path file = write(Spans.ofEveryType(9));
        String seen =
                PythonWithSafetensors.run(
                        """
                        import sys, hashlib
                        from safetensors import safe_open
                        with safe_open(sys.argv[1], framework="numpy") as f:
                            print(f.metadata())
                            for k in sorted(f.keys()):
                                t = f.get_tensor(k)
                                print(ascii(k), t.dtype, t.shape, hashlib.md5(t.tobytes()).hexdigest())
                        """,
                        file);
        StringBuilder expected = new StringBuilder("{'who': 'me'}\n");
        Spans.ofEveryType(9).stream()
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .forEach(s -> expected.append(pythonLine(s)));
        assertThat(seen).isEqualTo(expected.toString());
    }

    @Test
    @Tag("real")
    void shouldReadWhatPythonWrote() throws Exception {
        Path file = folder.resolve("python.safetensors");
        PythonWithSafetensors.run(
                """
                import sys, numpy as np
                from safetensors.numpy import save_file
                save_file({"w": np.arange(6, dtype=np.float32).reshape(2, 3) / 4,
                           "n": np.array([1, -2], dtype=np.int64),
                           "h": np.array([0.5, -65504.0], dtype=np.float16)},
                          sys.argv[1], metadata={"from": "python"})
                """,
                file);
        Safetensors read = Safetensors.open(file);
        assertThat(read.metadata()).isEqualTo(Map.of("from", "python"));
        for (NamedSpan span : read.namedSpans()) {
            switch (span.name()) {
                case "w" -> {
                    assertThat(span.shape()).containsExactly(2, 3);
                    assertThat(floats(span)).containsExactly(0, 0.25f, 0.5f, 0.75f, 1, 1.25f);
                }
                case "n" -> assertThat(span.data().buffer().getLong(8)).isEqualTo(-2);
                case "h" -> assertThat(floats(span)).containsExactly(0.5f, -65504f);
                default -> throw new AssertionError(span);
            }
        }
    }

    private Path write(List<NamedSpan> spans) throws IOException {
        Path file = folder.resolve("written.safetensors");
        SafetensorsWriter writer = new SafetensorsWriter(Map.of("who", "me"), spans);
        AtomicFile.write(file, writer.fileBytes(), writer::writeTo);
        assertThat(file).hasSize(writer.fileBytes());
        return file;
    }

    private Path raw(String header, byte[] data) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes =
                ByteBuffer.allocate(8 + json.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(json.length).put(json).put(data);
        return Files.write(folder.resolve("raw.safetensors"), bytes.array());
    }

    private static float[] floats(NamedSpan span) {
        float[] values = new float[(int) (span.data().bytes() / Float.BYTES)];
        span.data().buffer().asFloatBuffer().get(values);
        return values;
    }

    private static String pythonLine(NamedSpan span) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            WritableByteChannel channel = Channels.newChannel(bytes);
            for (ByteBuffer piece : span.data().buffers()) {
                channel.write(piece);
            }
            Checksum md5 = Checksum.start(Checksum.Kind.MD5);
            md5.update(ByteBuffer.wrap(bytes.toByteArray()));
            String shape =
                    Arrays.toString(span.shape())
                            .replace("[", "(")
                            .replace("]", span.shape().length == 1 ? ",)" : ")");
            return "%s %s %s %s%n"
                    .formatted(
                            span.name().startsWith("gr")
                                    ? "'gr\\xf6\\xdfe \"1\"'"
                                    : "'" + span.name() + "'",
                            span.type().name().toLowerCase(Locale.ROOT),
                            shape,
                            md5.hex());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Counting implements WritableByteChannel {
        long bytes = 0;

        @Override
        public int write(ByteBuffer from) {
            int length = from.remaining();
            from.position(from.limit());
            bytes += length;
            return length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
