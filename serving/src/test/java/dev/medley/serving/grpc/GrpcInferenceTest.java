package dev.medley.serving.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.protocol.UnaryGrpcClient;
import com.linecorp.armeria.common.grpc.protocol.ArmeriaStatusException;
import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.time.Clock;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.host.ModelName;
import dev.medley.serving.host.ServeLimits;
import dev.medley.serving.http.ModelServer;
import dev.medley.serving.http.ServeSocket;
import dev.medley.serving.http.ServerLimits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of grpc_predict_v2.proto as their numbers of fields say, over a real connection. */
@Tag("real")
class GrpcInferenceTest {
    private static final String SERVICE = "/inference.GRPCInferenceService/";
    private static final List<String> NUMBERS = List.of("age", "size", "member");
    private static final List<String> TEXTS = List.of("since", "colour", "town");

    @TempDir private static Path folder;
    private static ModelHost host;
    private static ModelServer server;
    private static UnaryGrpcClient client;

    @BeforeAll
    static void begin() throws Exception {
        GivenTable.in(folder, "income", new ModelSpec.Linear()).trained(null).close();
        host = new ModelHost(ServeLimits.usual(), Clock.system());
        host.load(new ModelName("m", "1"), folder.resolve("model"));
        ServeSocket any = ServeSocket.onLoopback(0);
        server = ModelServer.open(host, any, ServerLimits.usual(), Clock.system());
        int port = server.address().getPort();
        client = new UnaryGrpcClient(WebClient.of("h2c://127.0.0.1:" + port));
    }

    @AfterAll
    static void end() {
        server.close();
        host.close();
    }

    private static Map<Integer, List<byte[]>> call(String name, ProtoWriter message)
            throws Exception {
        return fields(client.execute(SERVICE + name, message.bytes()).join());
    }

    /** All fields of a message by number, those that are numbers as their digits. */
    private static Map<Integer, List<byte[]>> fields(byte[] message) throws Exception {
        Map<Integer, List<byte[]>> all = new TreeMap<>();
        CodedInputStream in = CodedInputStream.newInstance(message);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            byte[] value =
                    WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED
                            ? in.readByteArray()
                            : ("" + in.readRawVarint64()).getBytes(StandardCharsets.UTF_8);
            all.computeIfAbsent(WireFormat.getTagFieldNumber(tag), n -> new ArrayList<>())
                    .add(value);
        }
        return all;
    }

    private static String text(Map<Integer, List<byte[]>> fields, int number) {
        return new String(fields.get(number).get(0), StandardCharsets.UTF_8);
    }

    private static ProtoWriter input(String name, String type) {
        return new ProtoWriter().text(1, name).text(2, type).longs(3, List.of(1L, 1L));
    }

    private static byte[] doubles(double number) {
        ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        return bytes.putDouble(number).array();
    }

    /** One row, with its elements in fields of their types, or as bytes. */
    private static ProtoWriter row(boolean isRaw) {
        ProtoWriter request = new ProtoWriter().text(1, "m").text(3, "seven");
        List<byte[]> raw = new ArrayList<>();
        for (String name : NUMBERS) {
            ProtoWriter input = input(name, "FP64");
            byte[] value = doubles(name.equals("member") ? 1 : 40);
            request.message(5, isRaw ? input : input.message(5, new ProtoWriter().raw(7, value)));
            raw.add(value);
        }
        for (String name : TEXTS) {
            ProtoWriter input = input(name, "BYTES");
            byte[] value =
                    (name.equals("since") ? "2001-02-03" : name.equals("town") ? "town 1" : "red")
                            .getBytes(StandardCharsets.UTF_8);
            request.message(5, isRaw ? input : input.message(5, new ProtoWriter().raw(8, value)));
            ByteBuffer counted =
                    ByteBuffer.allocate(4 + value.length).order(ByteOrder.LITTLE_ENDIAN);
            raw.add(counted.putInt(value.length).put(value).array());
        }
        if (isRaw) {
            raw.forEach(each -> request.raw(7, each));
        }
        return request;
    }

    @Test
    void shouldSayWhatThereIs() throws Exception {
        assertThat(text(call("ServerLive", new ProtoWriter()), 1)).isEqualTo("1");
        assertThat(text(call("ServerReady", new ProtoWriter()), 1)).isEqualTo("1");
        assertThat(text(call("ModelReady", new ProtoWriter().text(1, "m")), 1)).isEqualTo("1");
        assertThat(text(call("ServerMetadata", new ProtoWriter()), 1)).isEqualTo("medley");
        Map<Integer, List<byte[]>> model = call("ModelMetadata", new ProtoWriter().text(1, "m"));
        assertThat(text(model, 3)).isEqualTo("medley_linear");
        assertThat(model.get(4)).hasSize(6);
        assertThat(model.get(5)).hasSize(2);
        assertThat(call("RepositoryIndex", new ProtoWriter()).get(1)).hasSize(1);
        assertThat(call("ModelStatistics", new ProtoWriter()).get(1)).hasSize(1);
    }

    @Test
    void shouldAnswerInTheFormOfTheRequest() throws Exception {
        Map<Integer, List<byte[]>> raw = call("ModelInfer", row(true));
        Map<Integer, List<byte[]>> typed = call("ModelInfer", row(false));
        assertThat(text(raw, 3)).isEqualTo("seven");
        assertThat(raw.get(5)).hasSize(2);
        assertThat(raw.get(6)).hasSize(2);
        assertThat(typed.get(6)).isNull();
        ByteBuffer numbers = ByteBuffer.wrap(raw.get(6).get(1)).order(ByteOrder.LITTLE_ENDIAN);
        double first = numbers.getDouble();
        assertThat(first + numbers.getDouble()).isEqualTo(1);
        Map<Integer, List<byte[]>> probability = fields(typed.get(5).get(1));
        assertThat(text(probability, 1)).isEqualTo("probability");
        CodedInputStream contents =
                CodedInputStream.newInstance(fields(typed.get(5).get(1)).get(5).get(0));
        contents.readTag();
        assertThat(contents.readDouble()).isEqualTo(first);
    }

    private static void refused(String name, ProtoWriter message, int code, String words) {
        assertThatThrownBy(() -> client.execute(SERVICE + name, message.bytes()).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        ArmeriaStatusException.class, e -> assertThat(e.getCode()).isEqualTo(code))
                .hasMessageContaining(words);
    }

    @Test
    void shouldRefuseWithTheCodesOfTheProtocol() {
        refused("ModelInfer", new ProtoWriter().text(1, "m"), 3, "there are no inputs");
        refused("ModelInfer", row(true).text(1, "n"), 5, "there is no model 'n'");
        refused("ModelInfer", row(true).text(2, "9"), 5, "no version '9'");
        refused("ModelInfer", row(true).raw(7, new byte[8]), 3, "7 raw_input_contents");
        refused("ModelMetadata", new ProtoWriter().text(1, "n"), 5, "there is no model");
        refused(
                "ModelInfer",
                new ProtoWriter().text(1, "m").message(5, input("age", "FP46")),
                3,
                "no datatype 'FP46'");
        refused(
                "ModelInfer",
                new ProtoWriter()
                        .text(1, "m")
                        .message(5, input("age", "FP64").message(5, new ProtoWriter().whole(3, 1))),
                3,
                "is sent in field 3");
        refused("RepositoryModelLoad", new ProtoWriter().text(2, "n"), 5, "there is no model");
        refused(
                "RepositoryModelLoad",
                new ProtoWriter().text(2, "m").message(3, new ProtoWriter().text(1, "config")),
                3,
                "takes no 'config'");
        refused("RepositoryModelUnload", new ProtoWriter().text(2, "n"), 5, "there is no model");
        refused("RepositoryModelLoad", new ProtoWriter(), 5, "there is no model ''");
        refused("ModelReady", new ProtoWriter().text(1, "n"), 5, "there is no model");
        refused("ModelReady", new ProtoWriter().text(1, "m").text(2, "2"), 5, "no version '2'");
        refused("ModelStatistics", new ProtoWriter().text(1, "n"), 5, "there is no model");
        refused("ModelMetadata", new ProtoWriter(), 5, "there is no model ''");
        refused("ModelMetadata", new ProtoWriter().text(1, "m\0"), 5, "there is no model");
        refused("ModelMetadata", new ProtoWriter().raw(1, new byte[] {(byte) 0xff}), 3, "damaged");
        refused("ModelInfer", row(true).message(5, input("age", "FP64")), 3, "6 raw_input");
        refused("ModelInfer", row(false).message(5, input("age", "FP64")), 3, "'age'");
        refused("ModelInfer", row(false).message(6, new ProtoWriter()), 3, "there is no output ''");
        refused(
                "ModelInfer",
                row(false).message(6, new ProtoWriter().text(1, "probabilty")),
                3,
                "did you mean 'probability'");
    }

    /** L0_grpc: calls that nobody has here, and more bytes than a message may have. */
    @Test
    void shouldSayThatACallIsNotThere() {
        for (String name : List.of("ModelStreamInfer", "ModelConfig", "Nothing")) {
            assertThatThrownBy(() -> client.execute(SERVICE + name, new byte[0]).join())
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            ArmeriaStatusException.class,
                            e -> assertThat(e.getCode()).isEqualTo(12));
        }
    }

    /** Whatever bytes come, the code is never that of our own failure. */
    @Test
    void shouldNeverFailItselfOverMutatedMessages() {
        byte[] whole = row(true).bytes();
        byte[] typed = row(false).bytes();
        RandomGenerator random = Seeds.generator(5);
        for (int i = 0; i < 1500; i++) {
            byte[] message = (i % 2 == 0 ? whole : typed).clone();
            for (int change = random.nextInt(3); change >= 0; change--) {
                message[random.nextInt(message.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(5) == 0 ? random.nextInt(message.length) : message.length;
            byte[] sent = java.util.Arrays.copyOf(message, length);
            try {
                client.execute(SERVICE + "ModelInfer", sent).join();
            } catch (CompletionException e) {
                assertThat(e.getCause()).isInstanceOf(ArmeriaStatusException.class);
                assertThat(((ArmeriaStatusException) e.getCause()).getCode())
                        .as("%d: %s", i, e.getCause().getMessage())
                        .isIn(3, 5);
            }
        }
    }
}
