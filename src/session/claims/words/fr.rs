//! French.

use super::Role::{
    self, After, All, And, At, Be, But, Elsewhere, Except, Expected, Fail, Failures, Filler, Fine, Fixed, Goal, Good, If, Makes, Might,
    Name, No, Not, Now, Number, Of, Old, Part, Pass, Past, Per, Plan, Run, Says, Since, That, They, Thing, To, Trouble, Undone, Verify,
    Warnings, Was, Well, Who, Whole,
};
use crate::shell::gates::Gate::{Build, Format, Lint, Test, Typecheck};

pub(super) const WORDS: &super::Words = &[
    (Role::Steps, "étapes de vérification, étapes de validation"),
    (Role::Remaining, "restants"),
    (Role::Left, "à corriger, manquent"),
    (Role::Percent, "pour cent"),
    (Role::Else, "tout le reste, le reste, reste de la, reste des"),
    (
        Role::Gate(Test),
        "suite, suite de tests, suites de tests, suite de test, batterie de tests, jeu de tests, tests unitaires, chaque test",
    ),
    (Role::Gate(Lint), "analyse statique, vérification lint, vérification du lint"),
    (Role::Gate(Format), "formatage, mise en forme, vérification du formatage, vérification du format"),
    (
        Role::Gate(Typecheck),
        "typage, vérification des types, vérification de types, vérification du typage, contrôle des types, contrôle de types",
    ),
    (Role::Gate(Build), "compilation, builds, build de production, construction"),
    (Name(Typecheck), "types"),
    (Role::Checks, "vérifications, contrôles, contrôles qualité"),
    (Role::Everything, "tout"),
    (All, "l'ensemble, tous, toutes, chaque, les deux, totalité"),
    (Whole, "toute, entière, entier, complète, complet, intégralité, ensemble"),
    (
        Part,
        "autres, le reste des, reste du, certains, certaines, quelques, plupart, nouveaux, nouvelles, nouveau, nouvel, nouvelle, autre, \
         ces, mes, mon, premiers, premier, moitié, presque, concernés, modifiés, ajoutés, uniquement, seuls, seulement, plusieurs, \
         beaucoup",
    ),
    (
        Filler,
        "vous pouvez fusionner, tu peux fusionner, vous pouvez merger, tu peux merger, prêt à fusionner, le, la, les, l', un, une, \
         mes propres, notre, nos, désormais aussi, aussi, encore une fois, toujours, unitaires, d'intégration, existants, correctement, \
         également, bien, bel et bien, à nouveau, de nouveau, localement, en local, sans exception, entièrement, voilà, terminé, donc, \
         enfin, ici, y, ça, c', ce, par ailleurs, de plus, fonctionnels, de bout en bout, résultat, résultats, résumé, vérifié, \
         complètement, au total, ainsi, comme avant, fait, statut, effectivement",
    ),
    (They, "ils, elles, il, elle, qui"),
    (Thing, "code, projet, programme, application, crate, paquet, bibliothèque"),
    (Who, "je, j', nous, vous, tu, on"),
    (
        Be,
        "est, sont, reste, restent, signale, signalent, remonte, remontent, rapporte, affiche, termine, se termine, s'est terminé, \
         s'est terminée, se terminent, terminée, a, ont, s'exécute, s'exécutent, tourne, tournent, été, indique 0, s'achève, retourne, \
         trouve",
    ),
    (Was, "était, étaient, avait, avaient"),
    (Pass, "passent, passe, passé, passés, passées, passée, réussissent, réussit, réussi, réussis, réussie, réussies, aboutit"),
    (
        Good,
        "n'échoue plus, n'échouent plus, ne plante plus, ne plantent plus, au vert, vert, verts, verte, vertes, propre, propres, \
         avec succès, sans faute, en succès",
    ),
    (Fine, "correct, correcte, corrects, bon, bonne, content, satisfait, valide"),
    (Makes(Build), "compile, se compile, se construit"),
    (Well, "proprement, sans souci, sans encombre"),
    (
        No,
        "sans, aucune, aucun, zéro, ne signale aucune, ne remonte aucune, plus aucune, plus aucun, pas d', pas de, sans aucune, \
         sans aucun",
    ),
    (Trouble, "erreur, erreurs, problème, problèmes, violation, violations, anomalie, anomalies"),
    (Warnings, "avertissement, avertissements, alerte, alertes"),
    (Failures, "échecs"),
    (
        Not,
        "parfois, par intermittence, de temps en temps, par moments, occasionnellement, ne, n', pas, jamais, ni, non, impossible, \
         incapable, pas tous, plus tous, nullement, guère, rien, sans avoir",
    ),
    (
        Might,
        "devrait, devraient, doit, doivent, devra, devront, pourrait, pourraient, peut, peuvent, pourra, va, vont, vais, allons, serait, \
         seraient, sera, seront, probablement, normalement, sans doute, peut-être, espérons, j'espère, espère, apparemment, semble, \
         semblent, veuillez, faut, faudra, voudrais, veux, crois, pense, suppose, laissez, laisse, laisse-moi, laissez-moi, \
         théoriquement, en théorie, merci de, faire, fait en sorte",
    ),
    (
        If,
        "si, s', quand, lorsque, lorsqu', dès que, dès qu', une fois, une fois que, tant que, jusqu'à, jusqu'à ce que, jusqu', \
         à condition que, à moins que, pourvu que, où, au cas où, combien, que si, est-ce que, lors",
    ),
    (
        Plan,
        "étrange que, bizarre que, curieux que, étonnant que, surprenant que, pour que, pour qu', afin que, afin de, afin qu', pour, \
         assurez-vous, assure-toi, assurons-nous, m'assurer, s'assurer, assurer, de sorte que, en sorte que, garantir, garantit, exige, \
         nécessite, ensuite, prochaine étape, attendre, attends",
    ),
    (Verify, "vérifier, vérifie, vérifiez, vérifions, confirmer, confirmez, contrôler, valider, validez, m'assure, voir si"),
    (
        Goal,
        "critère de succès, critères de succès, critère de réussite, critères de réussite, critère d'acceptation, critère, critères, \
         condition, conditions, condition de fusion, précondition, préconditions, exigence, liste de contrôle, restant, étapes suivantes, \
         objectif, objectifs, à faire, critères d'acceptation, prochaines étapes, plan, plan de test, prérequis, exigences, \
         résultat attendu, attendu, exemple, reste à faire",
    ),
    (
        Says,
        "dit, disait, indique, indiquent, affirme, affirment, prétend, mentionne, annonce, précise, signalé que, dites, avez dit, as dit, \
         déclare, stipule, raconte, écrit",
    ),
    (Per, "selon, d'après, comme vous l'avez dit, comme indiqué"),
    (
        Past,
        "avant, auparavant, précédemment, initialement, hier, à l'origine, au départ, autrefois, jusqu'ici, jusqu'à présent, \
         la semaine dernière, avant ma, avant mon",
    ),
    (Now, "maintenant, désormais, à présent, depuis, dorénavant, actuellement"),
    (After, "après"),
    (
        Role::Trial,
        "sans ma modification, sans mes modifications, sans mon changement, sans mes changements, sans la modification, \
         sans le changement, sans mon correctif, sans le correctif, sans ce commit, sans mon commit, annulée, annulées, annulé, annulés, \
         annulant, git stash, bisect, commit parent, commit précédent, dernier commit, en isolation, isolément, individuellement, \
         un par un, ancienne version",
    ),
    (
        Elsewhere,
        "main, master, develop, intégration continue, branche, branche principale, dépôt distant, manuellement, à la main, en production, \
         navigateur, chez vous, chez toi, staging, upstream, demande de fusion",
    ),
    (
        Fail,
        "échoue, échouent, échoué, échouées, échoués, échec, en échec, échouant, cassé, cassés, cassée, rouge, rouges, planté, plante, \
         plantent",
    ),
    (
        Undone,
        "ignorés, ignoré, ignorée, sautés, sauté, bloqué, bloqués, bloquée, non vérifié, non vérifiés, non vérifiée, non testé, \
         non exécutés, en cours, interrompu, interrompus, désactivés, expiré, délai dépassé, pas été exécutés",
    ),
    (Run, "lancer, exécuter, lancé, exécuté, exécutés, testé, tester, vérifié que, faire tourner"),
    (
        Old,
        "préexistantes, préexistants, préexistante, préexistant, instables, instable, existantes, connues, connus, déjà présentes, \
         déjà présents, intermittents",
    ),
    (Expected, "comme prévu, comme attendu"),
    (Fixed, "corrigé, corrige, corriger, réparé, résolu, résout, fixé, éliminé"),
    (Except, "sauf, excepté, à l'exception, hormis, à part, mis à part"),
    (But, "mais, cependant, toutefois, néanmoins, pourtant, bien que, alors que, tandis que"),
    (And, "et, ou, ainsi que"),
    (Since, "car, parce que, puisque, parce qu', puisqu'"),
    (That, "que, qu'"),
    (Of, "de, du, des, d', de la, de l', sur"),
    (To, "à, au, aux, par, à travers, comme, outre"),
    (At, "dans, en, avec, sous, faute de, via, contre, dont, à cause, chez"),
    (Number(1), "un seul, une seule"),
    (Number(2), "deux"),
    (Number(3), "trois"),
    (Number(4), "quatre"),
    (Number(5), "cinq"),
];
