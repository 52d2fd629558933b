package dev.medley.hub.http;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.OwnFolder;
import dev.medley.base.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores who may ask a hub: the tokens in its folder, {@code tokens.json}, mode 600. A change of
 * the file is seen at once, and a change that cannot be read keeps what was read before.
 *
 * <p>A token is 64 hexadecimal digits of a secure generator. What a caller shows is compared with
 * every token by their hashes, so the time tells nothing of how much was right.
 *
 * <p>Thread: any.
 */
public final class HubTokens {
    /** The file's name in the hub's folder. */
    public static final String FILE = "tokens.json";

    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");
    private static final String AGENTS = "agents";
    private static final int TOKEN_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Path file;
    private final List<Entry> beside = new CopyOnWriteArrayList<>();
    private volatile List<Entry> entries = List.of();
    private volatile @Nullable FileTime readAt;

    /**
     * Holds one token.
     *
     * @param name of its owner: a user's jobs run under it
     */
    public record Entry(String name, Role role, String token) {
        public Entry {
            ConfigException.check(
                    NAME.matcher(name).matches(),
                    "'%s' is no name of a token: use up to 64 letters, digits, and . _ @ -",
                    name);
            ConfigException.check(
                    TOKEN.matcher(token).matches(),
                    "the token of '%s' is not 64 hexadecimal digits",
                    name);
        }

        /** Without the token: texts end up in logs. */
        @Override
        public String toString() {
            return name + " (" + role.word() + ")";
        }
    }

    private record Stored(List<Entry> tokens) {}

    private HubTokens(Path file) {
        this.file = file;
    }

    /**
     * Reads the tokens in a hub's folder; at the first start makes one for an administrator and one
     * for agents.
     *
     * @throws ConfigException if the file cannot be read, or can be read by others
     */
    public static HubTokens open(Path hubFolder) {
        HubTokens tokens = new HubTokens(hubFolder.resolve(FILE));
        try {
            if (!Files.exists(tokens.file)) {
                tokens.write(
                        List.of(
                                new Entry(starter(), Role.ADMIN, fresh()),
                                new Entry(AGENTS, Role.AGENT, fresh())));
            }
            tokens.read();
        } catch (IOException e) {
            throw new ConfigException(
                    "%s: %s. It holds the hub's tokens: let it be yours alone (chmod 600)"
                            .formatted(tokens.file, e.getMessage()),
                    e);
        }
        return tokens;
    }

    /** Jobs of who started the hub carry that user's name, where it can be one. */
    private static String starter() {
        String name = System.getProperty("user.name", "");
        return NAME.matcher(name).matches() && !name.equals(AGENTS) ? name : "admin";
    }

    /** Takes the join token of a cluster's machines as one more token of agents. */
    public HubTokens withJoinToken(String token) {
        beside.add(new Entry("machines", Role.AGENT, token));
        return this;
    }

    /** The first token of that role. */
    public String of(Role role) {
        return first(role).token();
    }

    /** Who has the first token of that role. */
    Bearer owner(Role role) {
        return new Bearer(first(role).name(), role);
    }

    private Entry first(Role role) {
        return entries.stream()
                .filter(entry -> entry.role() == role)
                .findFirst()
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        "%s has no token of role %s: add one"
                                                .formatted(file, role.word())));
    }

    /**
     * Makes a token and keeps it in the file; a hub that runs takes it at once.
     *
     * @throws ConfigException if the name is taken, or is none
     */
    public synchronized String add(String name, Role role) {
        Entry entry = new Entry(name, role, fresh());
        try {
            read();
            ConfigException.check(
                    entries.stream().noneMatch(other -> other.name().equals(name)),
                    "there is a token for '%s' already: take another name, or remove it from %s",
                    name,
                    file);
            List<Entry> all = new ArrayList<>(entries);
            all.add(entry);
            write(all);
            read();
        } catch (IOException e) {
            throw new ConfigException("%s: %s".formatted(file, e.getMessage()), e);
        }
        return entry.token();
    }

    /** Whose token that is; null if it is nobody's. */
    @Nullable Bearer caller(String shown) {
        refresh();
        byte[] hash = hash(shown);
        Bearer found = null;
        for (List<Entry> all : List.of(entries, beside)) {
            for (Entry entry : all) {
                if (MessageDigest.isEqual(hash, hash(entry.token()))) {
                    found = new Bearer(entry.name(), entry.role());
                }
            }
        }
        return found;
    }

    /** Whether somebody still has a token of that name and role. */
    boolean knows(Bearer owner) {
        refresh();
        return Stream.concat(entries.stream(), beside.stream())
                .anyMatch(
                        entry -> entry.name().equals(owner.name()) && entry.role() == owner.role());
    }

    /** A new token. */
    static String fresh() {
        byte[] bytes = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static byte[] hash(String token) {
        return Sha256.digest().digest(token.getBytes(StandardCharsets.UTF_8));
    }

    private void refresh() {
        try {
            if (!Files.getLastModifiedTime(file).equals(readAt)) {
                read();
            }
        } catch (IOException | ConfigException e) {
            readAt = null; // What was read before holds; it is tried again with the next caller.
        }
    }

    private synchronized void read() throws IOException {
        OwnFolder.requireFile(file);
        FileTime at = Files.getLastModifiedTime(file);
        List<Entry> all = Json.read(file, Stored.class).tokens();
        ConfigException.check(
                all.stream().map(Entry::name).distinct().count() == all.size(),
                "%s names two tokens alike: give each a name of its own",
                file);
        entries = List.copyOf(all);
        readAt = at;
    }

    private void write(List<Entry> all) throws IOException {
        Path draft =
                Files.createTempFile(
                        file.toAbsolutePath().getParent(),
                        ".tokens-",
                        "",
                        OwnFolder.only("rw-------"));
        try {
            Files.writeString(draft, Json.pretty(new Stored(all)));
            Files.move(
                    draft,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
