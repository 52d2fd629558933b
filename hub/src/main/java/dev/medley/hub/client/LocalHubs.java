package dev.medley.hub.client;

import dev.medley.base.OwnFolder;
import dev.medley.net.door.LocalTokens;

/** Tells where a hub on this machine leaves a token for commands of the same user. */
public final class LocalHubs {
    private LocalHubs() {}

    /** One file for each address and port, mode 600, in a folder of mode 700. */
    public static LocalTokens ofThisUser() {
        return new LocalTokens(OwnFolder.ofThisUser("medley-hubs"));
    }
}
