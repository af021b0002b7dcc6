//! German.

use super::Role::{
    self, After, All, And, At, Be, But, Elsewhere, Except, Expected, Fail, Failures, Filler, Fine, Fixed, Goal, Good, If, Made, Makes,
    Might, Name, No, Not, Now, Number, Of, Old, Part, Pass, Past, Per, Plan, Run, Says, Since, That, They, Thing, To, Trouble, Troubled,
    Undone, Verify, Warnings, Was, Well, Who, Whole,
};
use crate::shell::gates::Gate::{Build, Format, Lint, Test, Typecheck};

pub(super) const STEMS: &super::Stems = &[(Role::Trial, "zurückgenommen"), (Role::Trial, "zurückgesetzt")];

pub(super) const WORDS: &super::Words = &[
    (Role::Steps, "prüfschritte, verifikationsschritte, verifizierungsschritte, schritte"),
    (Role::Remaining, "übrigen, restlichen"),
    (Role::Percent, "prozent"),
    (Role::Left, "fehlen noch, fehlen, übrig, bleiben noch, stehen noch"),
    (Role::Else, "alles andere, rest, alles übrige, der ganze rest"),
    (
        Role::Gate(Test),
        "testsuite, test-suite, testlauf, testläufe, unittests, unit-tests, integrationstests, regressionstests, e2e-tests, testfälle, \
         komponententests, suite, jeder test, testergebnis, testergebnisse",
    ),
    (Role::Gate(Lint), "lint-prüfung, lint-check, linter-lauf, lint-lauf, linting, statische analyse"),
    (Role::Gate(Format), "formatierung, formatprüfung, formatcheck, format-check, codeformatierung, code-formatierung"),
    (Role::Gate(Typecheck), "typprüfung, typüberprüfung, typcheck, typechecks, typprüfungen, type-checking"),
    (Role::Gate(Build), "builds, kompilierung, kompilieren, übersetzung, produktionsbuild, release-build, buildlauf, build-prozess"),
    (Name(Typecheck), "typen"),
    (Role::Checks, "prüfungen, alle prüfungen, qualitätsprüfungen, überprüfungen, gates"),
    (Role::Everything, "alles"),
    (All, "alle, sämtliche, allesamt, jeder, jede, beide, beides, sämtlichen, allen"),
    (Whole, "gesamte, gesamten, ganze, ganzen, komplette, kompletten, vollständige, vollständigen"),
    (
        Part,
        "sonst, ansonsten, einige, manche, die meisten, meisten, viele, neuen, neue, neuer, andere, anderen, meine, meinen, diese, \
         diesen, betroffenen, geänderten, wenige, mehrere, fast, beinahe, nahezu, nur, betroffene, zugehörigen, teilweise, erste, ersten, \
         zweite, hälfte",
    ),
    (
        Filler,
        "du kannst mergen, kann gemergt werden, kannst du mergen, bitte reviewen, kann zusammengeführt werden, die, der, das, den, dem, \
         des, ein, eine, einen, einem, einer, jetzt auch, auch, noch immer, weiterhin, wieder, alle auch, erneut, lokal, somit, außerdem, \
         ebenfalls, inzwischen schon, und zwar, damit sind, bestehenden, vorhandenen, existierenden, mehr, es, hier, ja, bereits, gerade, \
         insgesamt, zudem, dort, dabei, danach, schließlich, fertig, erledigt, verifiziert, geprüft und, vollständig, komplett, projekt-, \
         eigenen, keinerlei mehr, so, lokalen, zusammenfassung, ergebnis, ergebnisse, status, dann, vor dem commit, vor dem push, \
         laufzeit, immer noch, nach wie vor, unit, wie zuvor, wie vorher",
    ),
    (They, "sie, diese alle, welche"),
    (Thing, "code, projekt, programm, crate, anwendung, app, paket, bibliothek"),
    (Who, "ich, wir, du, ihr, man"),
    (
        Be,
        "ist, sind, läuft, laufen, lief, liefen, bleibt, bleiben, meldet, melden, zeigt, zeigen, wird als, endet, endete, beendet, gibt, \
         liefert, lieferte, meldete, wurde, wurden, worden, steht auf, hat, haben, abgeschlossen, findet, gelaufen",
    ),
    (Was, "war, waren, hatte, hatten, gewesen"),
    (Pass, "bestehen, besteht, bestanden, gelingt, gelang, klappt, klappte, geht durch, gehen durch, erfolgreich bestanden"),
    (
        Good,
        "schlägt nicht mehr fehl, schlagen nicht mehr fehl, nicht mehr rot, nicht mehr kaputt, grün, sauber, erfolgreich, durch, \
         durchgelaufen, fehlerfrei, durchlaufen, durchläuft, warnungsfrei, erfolgreich durch, erfolgreich abgeschlossen, gelungen, \
         im grünen bereich",
    ),
    (Fine, "in ordnung, gut, zufrieden, okay, fehlerlos"),
    (
        Makes(Build),
        "kompiliert, baut, übersetzt, lässt sich bauen, lässt sich kompilieren, lässt sich ohne fehler bauen, \
         lässt sich fehlerfrei bauen, lässt sich ohne fehler kompilieren",
    ),
    (Made(Build), "gebaut"),
    (Well, "problemlos, anstandslos, sauber durch, ohne probleme, ohne beanstandung"),
    (No, "keine, kein, keinen, keiner, keinerlei, null, ohne, ohne einen, ohne eine"),
    (Trouble, "fehler, probleme, problem, fehlern, beanstandungen, verstöße, problemen, fehlermeldungen, meldungen"),
    (Troubled(Typecheck), "typfehler, typfehlern, typenfehler"),
    (Troubled(Lint), "lintfehler, linterfehler, lint-meldungen, lintwarnungen"),
    (Troubled(Build), "buildfehler, kompilierfehler, compilerfehler, übersetzungsfehler"),
    (Troubled(Format), "formatierungsfehler"),
    (Warnings, "warnungen, warnung, hinweise"),
    (Failures, "fehlschläge, fehlschlag, testfehler, testfehlschläge"),
    (
        Not,
        "nein, manchmal, gelegentlich, sporadisch, zeitweise, ab und zu, hin und wieder, nicht, nie, niemals, weder, noch nicht, nirgends, \
         nicht alle, kaum, nichts, niemand, unklar, konnte nicht, statt, leider nicht",
    ),
    (
        Might,
        "seltsam, merkwürdig, komisch, verdächtig, sonderbar, wundert, sollte, sollten, soll, sollen, müsste, müssten, müssen, muss, \
         wird, werden, würde, würden, könnte, könnten, kann, können, dürfte, dürften, mag, möchte, hoffentlich, wahrscheinlich, \
         vermutlich, voraussichtlich, vielleicht, eventuell, anscheinend, scheinbar, damit, möglicherweise, theoretisch, erwarte, hoffe, \
         glaube, denke, nehme an, will, wollen, werde, bitte, lass, lasst, scheint, scheinen, zu",
    ),
    (If, "wenn, falls, sobald, ob, bis, sofern, solange, wann, vorausgesetzt, angenommen, wie viele, sowie, immer wenn, als ob"),
    (
        Plan,
        "stelle sicher, stellt sicher, stellen sie sicher, sicherstellen, sicherzustellen, sicherstellt, so dass, sodass, sorge dafür, \
         sorgt dafür, um, verlangt, erfordert, braucht, warte, warten, als nächstes, achte darauf",
    ),
    (Verify, "prüfe, prüfen, prüft, überprüfe, überprüfen, überprüft, verifiziere, verifizieren, kontrolliere, bestätige, bestätigen"),
    (
        Goal,
        "abnahmekriterium, akzeptanzkriterium, erfolgskriterium, abschlusskriterium, kriterium, kriterien, bedingung, bedingungen, \
         voraussetzung, anforderung, checkliste, prüfliste, verbleibend, noch offen, merge-bedingung, ziel, ziele, plan, \
         akzeptanzkriterien, abnahmekriterien, nächste schritte, offen, offene punkte, noch zu tun, zu tun, aufgaben, anforderungen, \
         voraussetzungen, testplan, erwartet, erwartung, beispiel, erfolgskriterien",
    ),
    (
        Says,
        "sagt, sagte, gesagt, steht, schreibt, schrieb, behauptet, behauptete, erwähnt, erwähnte, berichtet, berichtete, heißt es, \
         lautet, besagt, meint, meinte, laut dir",
    ),
    (Per, "laut, gemäß, nach angaben, zufolge, wie du sagtest, wie du gesagt hast, dem log nach"),
    (
        Past,
        "vorher, zuvor, früher, ursprünglich, anfangs, vor meiner, vor meinen, vor der, vor dem, vor den, bisher, gestern, letzte woche, \
         damals, zunächst, bevor, einst, vormals",
    ),
    (Now, "jetzt, nun, inzwischen, mittlerweile, seitdem, aktuell, nunmehr, anschließend"),
    (After, "nach, nachdem"),
    (
        Role::Trial,
        "ohne meine änderung, ohne meine änderungen, ohne die änderung, ohne die änderungen, ohne diese änderung, ohne meinen patch, \
         ohne den patch, ohne den fix, ohne meinen fix, rückgängig, rückgängig gemacht, \
         ohne meinen commit, git stash, bisect, im eltern-commit, vorherigen commit, letzten commit, auf dem vorigen commit, \
         vorigen commit, isoliert, in isolation, einzeln, einzeln ausgeführt, alten version, älteren version, alten node-version",
    ),
    (
        Elsewhere,
        "main, master, develop, pull-request, pull requests, merge request, ci-lauf, pipelines, remote, upstream, von hand, manuell, \
         manuelle, anderen branch, feature-branch, hauptzweig, hauptbranch, release-branch, produktion, staging, deployment, im browser, \
         auf deinem rechner, bei dir, action, actions",
    ),
    (
        Fail,
        "fehlgeschlagenen, fehlgeschlagene, fehlgeschlagener, roten, rote, schlägt, schlagen, fehl, fehlgeschlagen, fehlschlagen, \
         fehlschlagende, fehlschlagenden, fehlschlägt, scheitert, scheitern, gescheitert, scheiterte, scheiterten, rot, kaputt, \
         durchgefallen, schlug, schlugen, fehlerhaft, bricht ab, abgebrochen",
    ),
    (
        Undone,
        "übersprungen, ungeprüft, nicht geprüft, nicht verifiziert, nicht ausgeführt, nicht gelaufen, abgestürzt, blockiert, \
         unklar geblieben, nicht getestet, ungetestet, zeitüberschreitung, steht noch aus, stehen noch aus, ausstehend, deaktiviert",
    ),
    (Run, "ausführen, ausgeführt, laufen lassen, starten, gestartet, geprüft, getestet, prüfen können, überprüft werden"),
    (
        Old,
        "vorbestehende, vorbestehenden, bereits vorhandene, bereits vorhandenen, bestehende, flaky, unabhängige, bekannte, bekannten, \
         instabile, alte",
    ),
    (Expected, "wie erwartet, erwartungsgemäß, wie beabsichtigt"),
    (Fixed, "behoben, behebt, gefixt, korrigiert, repariert, gelöst, beseitigt, bereinigt"),
    (Except, "abgesehen vom, außer, bis auf, ausgenommen, abgesehen von, mit ausnahme"),
    (But, "aber, jedoch, allerdings, dennoch, obwohl, während, trotzdem, doch"),
    (And, "und, oder, sowie auch"),
    (Since, "weil, denn, da"),
    (That, "dass"),
    (Of, "von, vom"),
    (To, "an, weiter, als, ab"),
    (At, "in, im, auf, für, mit, bei, unter, aus, gegen, mittels, ohne änderungen, wegen, über, per"),
    (Number(1), "eins"),
    (Number(2), "zwei"),
    (Number(3), "drei"),
    (Number(4), "vier"),
    (Number(5), "fünf"),
];
