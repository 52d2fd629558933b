package dev.medley.control.coordinator;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.net.control.KeptState;
import dev.medley.net.control.LinkBytes;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.door.FrameKey;
import dev.medley.net.link.RelayedBytes;
import dev.medley.net.membership.PauseKind;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Frames of every type of message, sound or spoilt in one of many ways, from one seed. */
public final class HostileFrames {
    private static final Object[] JUNK = {
        null,
        "",
        "x".repeat(5000),
        "\u001b[2J",
        -1,
        0,
        1,
        2147483647,
        2147483648L,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        1e308,
        0.5,
        "NaN",
        true,
        List.of(),
        List.of(List.of(1)),
        Map.of(),
        Map.of("memory", Map.of("usableBytes", "much")),
    };

    private final List<Message> sound;
    private final RandomGenerator random;

    /** Drawn from {@code random}; {@code version} is that of a greeting that is not refused. */
    public HostileFrames(RandomGenerator random, String version, String job) {
        this.random = random;
        this.sound = new ArrayList<>(sound(version, job));
    }

    private static List<Message> sound(String version, String job) {
        Member member = new Member(new WorkerId(1), "host", "", "127.0.0.1", 1001, "kernels");
        Progress progress = new Progress(1, false);
        JsonNode any = Json.tree(Map.of("memory", Map.of("usableBytes", 5), "any", List.of(1)));
        WorkerStep step = new WorkerStep(1, 1, 1, 1, 1, 8, 4, 0, 1, 1, 0, 0, 0, 0, 0, 0, null);
        View view =
                new View(
                        new Group(1, List.of(member)),
                        new Plan(1, List.of(4), 4, "why"),
                        progress,
                        0,
                        List.of(),
                        9);
        return List.of(
                new Message.Hello(version, job, 1, 1),
                new Message.Hello(version, job, 2, 1),
                new Message.Hello(version, job, 1_000_000_000, 1),
                new Message.Offer(version, "n", "", 0, null, any),
                new Message.Present(),
                new Message.Exited(3, 1, "words", "it had no memory"),
                new Message.Started(1),
                new Message.Started(3),
                new Message.Exited(1, 0, "", ""),
                new Message.Leaving("why"),
                new Message.Ready(
                        member, progress, 5, List.of(new Message.Tried(1, 1)), List.of(0)),
                new Message.Trying(1),
                new Message.TriedAlone(new Message.Tried(1, 1)),
                new Message.Alive(1),
                new Message.Probed(Map.of(1, "why")),
                new Message.Sealed(1, progress),
                new Message.Faulted(1, 1, new Fault(Fault.Kind.PEER, "who", "what")),
                new Message.Steps(1, List.of(step), List.of(), List.of()),
                new Message.Steps(
                        1,
                        List.of(step),
                        List.of(new LinkBytes(0, 1, 1)),
                        List.of(new RelayedBytes(0, 0, 1))),
                new Message.Noted("links", any),
                new Message.Noted("evaluation", any),
                new Message.Hashed(1, 1, "hash"),
                new Message.Finished(1, 1, "hash", "done"),
                new Message.Failed(Message.FailureKind.BUG, "why"),
                new Message.Welcome(new WorkerId(1), 1, 1, TrialScope.LEVEL, "work", any),
                new Message.Beat(0),
                new Message.Probe(List.of(member)),
                new Message.Seal(1, "why"),
                new Message.Pause(1, PauseKind.REFORM, "why"),
                new Message.Try(1),
                new Message.Form(view),
                new Message.Close(false, "why"),
                new Message.Enlisted("job", 1_000_000, 1_000_000_000),
                new Message.Launch(1, "token", any),
                new Message.Kill(1),
                new Message.Dismissed(Message.DismissalKind.DONE, "why"),
                new Message.Fetch("file", 0, 1),
                new Message.Piece(new byte[1]),
                new Message.AskDigest("file"),
                new Message.Digest("00"),
                new Message.Bring("model", "file", 1, 0, new byte[1]),
                new Message.Keep("model", new KeptState(1, 1, 0.5), Map.of("file", "00")),
                new Message.AskKept("model"),
                new Message.Kept(KeptState.UNKNOWN),
                new Message.Received(),
                new Message.Refused("why"));
    }

    /** Leaves out what a machine of the cluster may end a run with: it is trusted in that. */
    HostileFrames ofMembers() {
        sound.removeIf(
                m ->
                        m instanceof Message.Ready
                                || m instanceof Message.Sealed
                                || m instanceof Message.Hashed
                                || m instanceof Message.Finished
                                || m instanceof Message.Failed);
        return this;
    }

    /** JSON of some message; one in four is as it should be. */
    byte[] json() {
        Message message = sound.get(random.nextInt(sound.size()));
        ObjectNode tree = Json.parse(Json.line(message), ObjectNode.class);
        int changes = random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            spoil(tree);
        }
        byte[] json = Json.line(tree).getBytes(StandardCharsets.UTF_8);
        if (changes == 3 && random.nextInt(3) == 0) {
            json[random.nextInt(json.length)] = (byte) random.nextInt();
        }
        return json;
    }

    private void spoil(ObjectNode tree) {
        List<Runnable> all = new ArrayList<>();
        collect(tree, all);
        all.get(random.nextInt(all.size())).run();
    }

    /** One change for each field and element. */
    private void collect(JsonNode node, List<Runnable> all) {
        if (node instanceof ObjectNode object) {
            all.add(() -> object.put("more", 1));
            for (String name : List.copyOf(object.propertyNames())) {
                all.add(
                        random.nextInt(4) == 0
                                ? () -> object.remove(name)
                                : () -> object.set(name, junk()));
                collect(object.get(name), all);
            }
        } else if (node instanceof ArrayNode array) {
            all.add(() -> array.add(junk()));
            for (int i = 0; i < array.size(); i++) {
                int index = i;
                all.add(() -> array.set(index, junk()));
                collect(array.get(i), all);
            }
        }
    }

    private JsonNode junk() {
        return Json.tree(JUNK[random.nextInt(JUNK.length)]);
    }

    /** Says a frame; one in twenty has a wrong length or signature, and none follows it. */
    public boolean say(DataOutputStream out, FrameKey key) throws IOException {
        byte[] json = json();
        byte[] signature = key.sign(json);
        int length = json.length;
        boolean isSpoilt = random.nextInt(20) == 0;
        if (isSpoilt && random.nextBoolean()) {
            signature[0]++;
        } else if (isSpoilt) {
            length = random.nextInt(3) == 0 ? random.nextInt() : length + random.nextInt(-9, 9);
        }
        out.writeInt(length);
        out.write(signature);
        out.write(json);
        return !isSpoilt;
    }

    /** What a stranger may say: nothing, half a greeting, frames without one, TLS, anything. */
    public byte[] noise() {
        byte[] bytes = new byte[random.nextInt(120)];
        random.nextBytes(bytes);
        byte[] magic = "MedleyC1".getBytes(StandardCharsets.US_ASCII);
        switch (random.nextInt(5)) {
            case 0 -> System.arraycopy(magic, 0, bytes, 0, Math.min(magic.length, bytes.length));
            case 1 -> bytes = new byte[] {0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0};
            case 2 -> bytes = new byte[] {0, 0, 0, 24, '{', '"', 't', 'y', 'p', 'e'};
            default -> {}
        }
        return bytes;
    }
}
