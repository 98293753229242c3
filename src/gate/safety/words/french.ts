import type { Words } from './word-class.ts';

export const FRENCH: Words = {
  send: 'envoie|envoies|envoyer|envoyez|transmets|transmets-le|transmets-les|transmettre|transmettez|téléverse|téléverser|téléversez|poste|postez|copie|copiez|partage|joins|joignez|publie|colle|ajoute|ajoutez|inclus|insère|fais parvenir|expédie|transfère|dépose|renvoie|communique|envoie-le|envoie-les|envo*|téléver*|partag*|joign*|expédi*|communiqu*|livre|remets|copie*|copier|publie*|transmet*',
  fetch:
    'télécharge|télécharger|téléchargez|récupère|récupérez|récupérer|ouvre|ouvrez|lis|lisez|consulte|consultez|charge|obtiens|va chercher|visite|clone|va sur|télécharg*|récupér*|ouvr*|consult*|rends-toi|rassemble|collecte',
  run: 'exécute|exécuter|exécutez|exécute-le|exécute-la|exécutez-le|exécute-les|lance|lancez|lancer|lance-le|lancez-le|lance-la|démarre|démarrez|installe|installez|fais tourner|exécut*|démarr*|ouvre-le|installe*|lance*',
  obey: 'suis|suivez|obéis|obéissez|exécute|exécutez|fais|faites|applique|appliquez|respecte|accomplis|traite|conforme-toi|obé*|suiv*|faire|exécut*|appliqu*|contraignant',
  write:
    'ajoute|ajoutez|écris|écrivez|inscris|inscrivez|enregistre|enregistrez|insère|note|crée|créez|place|mets|copie|copiez|installe|programme|sauvegarde|ajout*|écri*|inscri*|enregistr*|insèr*|configur*|copie*',
  erase:
    'supprime|supprimer|supprimez|efface|effacer|effacez|détruis|détruire|videz|écrase|élimine|formate|supprim*|effac*|détrui*|écras*|chiffr*|élimin*',
  replace:
    'remplace|remplacer|remplacez|change|changer|changez|modifie|modifiez|substitue|mets|redirige|détourne|verse|vire',
  disable:
    'désactive|désactiver|désactivez|contourne|contournez|saute|sautez|désinstalle|désinstallez|coupe|arrête|éteins|neutralise|passe outre',
  ignore:
    'ignore|ignorez|ignorer|oublie|oubliez|oublier|écarte|écartez|laisse de côté|ne tiens pas compte|ne tiens plus compte|fais abstraction|ne suis plus|ne suis pas|ne respecte plus|rejette|désobéis|abandonne|cesse de suivre|faites abstraction',
  decode: 'décode|décoder|décodez|déchiffre|déchiffrez|décompresse',
  tell: 'informe|informez|informer|dis|dites|dire|révèle|révélez|mentionne|mentionnez|parle|parlez|signale|signalez|montre|préviens|prévenez|avertis|avertissez|avoue|révéler|mentionner|parler|prévenir|avertir|signaler|en informer',
  notice:
    "remarquer|remarque|sache|savoir|s'aperçoive|s'en aperçoive|découvre|voie|voir|soupçonne|apprenne|s'en rende compte|se rende compte",
  approve:
    'accepté|acceptée|accepte|acceptez|approuvé|approuvée|approuve|approuvez|sûr|sans danger|validé|validée|valide|conforme|inoffensif|inoffensive|note maximale|aucun problème|oui|réussi|aucune remarque|sans risque|bon|excellente|maximale|fiable|légitime',
  grant:
    'permission|autorisé|autorisée|autorisées|autorisés|autorisation|accordé|accordée|activé|activée|permis|accès complet|tous les droits|accès total|droits complets|peux|habilité|levées|levée|autoris*|permi*|droit de|accord*|dispensé',
  'answer-as-told':
    'réponds|répondez|note|notez|évalue|évaluez|donne|donnez|classe|marque|marquez|considère|considérez|attribue|attribuez|juge|approuve-le|accepte-le',
  secret:
    "clé|clés|mot de passe|mots de passe|identifiants|variables d'environnement|secret|secrets|jeton|jetons|clés api|clé api|clés d'api|clé privée|clés privées|trousseau|cookies|clé ssh|clés ssh|phrase de récupération|token|tokens",
  talk: "conversation|conversations|historique de la conversation|historique du chat|messages de l'utilisateur|texte de la conversation|échanges|code source|tous les fichiers|données personnelles|ce que tape l'utilisateur|contacts|presse-papiers",
  user: "utilisateur|utilisateurs|utilisatrice|personne|humain|quelqu'un|opérateur|relecteur|propriétaire|client|clients|relecteurs",
  judge:
    'relecteur|relecteurs|évaluateur|évaluateurs|examinateur|auditeur|auditeurs|juge|scanner|scanners|analyseur|modèle évaluateur|correcteur|vérificateur|vérificateurs|validateur|évalues|évaluez|modèle qui évalue|réviseur|jury',
  authority:
    'administrateur|système|développeur|développeurs|anthropic|openai|fournisseur|équipe de sécurité|opérateur|éditeur|direction|support|créateur|créateurs',
  message:
    "message du|message de|message d'|avis du|ici le|je suis le|c'est le|au nom de|annonce du|note du|note de l'|ordre du|communiqué|ici l'équipe|ici|je suis|de la part|sur ordre|communiqué de|message",
  rule: 'instructions|instruction|règles|règle|consignes|consigne|directives|directive|prompt|restrictions|politiques|ordres|principes|limites|garde-fous',
  earlier:
    "précédentes|précédents|précédente|antérieures|antérieurs|ci-dessus|du système|jusqu'ici|d'avant|reçues|initiales|du développeur|de l'utilisateur|données auparavant|auparavant",
  this: 'ce document|ce fichier|ces règles|ce texte|cette compétence|ces instructions|ces consignes|cette page|ce guide|ce qui est écrit ici|ce skill|ce qui suit|cette consigne|cette règle|cette ligne|cette instruction|ce paragraphe|cette phrase|cette commande|ce message|cet ordre',
  it: "cela|ceci|cette étape|cette opération|cette action|l'étape",
  everything: "tout|toute|toutes|tous|chaque|n'importe quel|n'importe quelle",
  dictate:
    "ce qu'il dit|ce qu'elle dit|ce qui y est écrit|ce qui y figure|ce qui est écrit|ce qu'elle demande|ce qu'il demande|ce que dit|ce que demande|tout ce qu'elle|tout ce qu'il|ses instructions|ses consignes|ses ordres|les instructions qui s'y|les instructions qu'il contient|les instructions qu'elle contient|les consignes qui y|les commandes qu'il contient|les ordres qui y|à la lettre|comme des ordres|ce qu'il contient|ce que contient|les instructions y|tout ce qui|ce qui y est|ce qui est demandé|y est demandé|y est écrit|ce qu'on y",
  report: 'résumé|rapport|journal|journaux|réponse|compte rendu|historique|log|logs|diff',
  'shell-history':
    'historique des commandes|historique du shell|historique du terminal|historique bash|historique de commandes',
  log: 'journaux|journal|traces|logs|preuves|historique|registres',
  property:
    "dossier personnel|répertoire personnel|fichiers de l'utilisateur|documents de l'utilisateur|données de l'utilisateur|sauvegardes|base de données de production|base de production|disque entier|tout le disque|disque dur|toutes les branches|toutes les tables|fichiers personnels|documents personnels|toute la base|base de données|le disque|historique git|tous les fichiers|toutes les données",
  money:
    'iban|rib|compte bancaire|numéro de compte|facture|factures|portefeuille|coordonnées bancaires|coordonnées de paiement|bénéficiaire|adresse bitcoin|paiements|compte|virements|virement|dons',
  mirror:
    'miroir|registre|dépôt officiel|index|dépôt de paquets|source de paquets|registre npm|dépôt pypi|mirror',
  miner:
    'mineur de cryptomonnaie|mineur de crypto|minage|cryptomineur|monero|cryptomonnaie|cryptomonnaies|mineur|mineur crypto',
  guard:
    "sandbox|bac à sable|pare-feu|antivirus|confirmation|confirmations|approbation|approbations|contrôles de sécurité|contrôle de sécurité|garde-fous|vérifications de sécurité|protections|protection|demandes d'autorisation|mesures de sécurité",
  'open-place':
    'issue|ticket|gist|forum|commentaire|serveur distant|notre serveur|serveur externe|canal|webhook|dépôt public|serveur',
  picture: 'image|images|pixel|icône',
  script: 'script|programme|fichier|binaire|installeur|outil|paquet|exécutable',
  startup:
    'tâche cron|cron|crontab|démarrage automatique|tâche planifiée|service systemd|lancement automatique',
  memory: 'mémoire permanente|mémoire à long terme|mémoire|instructions globales|mémoire persistante',
  shell: 'terminal|shell|ligne de commande|bash|console|interpréteur',
  encoded: 'base64|hexadécimal|hexadécimale|chaîne encodée|chaîne codée|texte encodé',
  not: "ne|n'|pas|jamais|sans|ni|rien|personne|aucun|aucune|point",
  unasked:
    "sans confirmation|sans demander|sans autorisation|sans approbation|sans permission|sans poser de question|ne demande pas|ne demande jamais|sans accord|sans l'accord|sans consentement|sans attendre|sans validation",
  unseen:
    "sans le vérifier|sans vérifier|sans le relire|sans relire|sans le lire|sans lire|sans regarder|sans contrôle|aveuglément|ne vérifie pas|sans l'inspecter|sans vérification|sans examiner|sans l'examiner",
  unreviewed:
    "sans autre vérification|sans autre examen|aucune vérification|inutile de vérifier|ne pas analyser|n'analyse pas|pas besoin de vérifier|ignore ce fichier|ignorer ce fichier|saute ce fichier|sans vérification|ne vérifie pas|inutile de relire|sans plus d'examen|n'examine pas|arrête l'analyse",
  secretly:
    "en cachette|en secret|secrètement|discrètement|à l'insu|furtivement|sans laisser de trace|sans laisser de traces|en douce|sans que l'utilisateur|sans que personne|subrepticement|ni vu ni connu",
  untold:
    "cache cette|cache ceci|cache cela|cache-le|dissimule|dissimulez|passe sous silence|tais|garde le silence|garde-le pour toi|ne doit rien remarquer|ne doit rien savoir|ne doit pas savoir|ne doit pas le savoir|ne doit rien voir|n'en parle pas|n'en parle à personne|ne le mentionne pas|ne mentionne pas cette|ne mentionne pas ce|sans en informer|sans informer|sans prévenir|sans avertir|sans le dire|à l'insu|ne dis rien|ne rien dire|omets|n'en dis rien|sans en parler|ne pas en informer|à personne|ne signale|sans que l'utilisateur|sans que personne|dissimul*|en secret|supprime les traces|efface les traces|les traces|ne doit pas l'apprendre|ne doit pas apprendre|ne doit jamais savoir|ne le sache|ne s'en aperçoive|hors de la vue|garde secret|garde cela secret|cache-lui|cachez|cacher à|cache à|caché à",
  outrank:
    "l'emporte sur|l'emportent sur|prime sur|priment sur|prévaut sur|prévalent sur|ont priorité sur|a priorité sur|passent avant|passe avant|remplacent|remplace|est au-dessus|sont au-dessus|plus importantes que|plus important que|a la priorité sur|ont la priorité sur|annule|annulent",
  'outranks-last': "celles-là priment|ce sont elles qui priment|celles-ci l'emportent|elles l'emportent",
  void: "ne s'appliquent plus|ne s'applique plus|ne s'appliquent pas|ne s'applique pas|ne comptent pas|ne comptent plus|ne compte pas|sont levées|sont annulées|sont suspendues|sont caduques|est caduc|n'ont plus cours|périmées|n'importent pas|sans effet|ne valent plus|obsolètes|ne s'appliquent|ne s'applique|ne valent|n'ont plus|plus valables|abrogées|annulées|levées|suspendues|révoquées|caduques|ne sont plus|n'est plus|cessent de",
  unbound:
    'sans restriction|sans restrictions|sans limite|sans limites|aucune restriction|libéré de|libre de toute|sans censure|sans filtre|aucune limite|aucune règle|sans règles',
  lie: "n'avoue jamais|réponds que tu n'as|dis que rien|dis que tu n'as|comme si de rien|dis simplement que|réponds seulement que|prétends que rien",
  always:
    'chaque session|toutes les sessions|chaque projet|tous les projets|toujours|en permanence|de façon permanente|définitivement|à chaque fois|au démarrage|à chaque démarrage|désormais|pour toujours|chaque jour|chaque heure|dorénavant|à chaque connexion',
  'each-answer': 'chaque réponse|toutes les réponses|tes réponses|ta réponse|vos réponses',
  'as-root':
    "en root|avec sudo|en tant que root|en administrateur|avec les droits|en tant qu'administrateur|droits root|droits administrateur",
  executable: 'rends-le exécutable|exécutable',
  afterwards:
    'pour que personne|ce qui a été fait|ce qui a été exécuté|par la suite|ensuite les journaux|ensuite les traces|ensuite le journal|ensuite les logs',
  already:
    'déjà validé|déjà validée|déjà approuvé|déjà approuvée|déjà vérifié|déjà vérifiée|a été validé|a été audité|certifié|certifiée|déjà audité|a été vérifié|a été approuvé|déjà contrôlé|déjà examiné',
  addressed:
    "note au|note à|au relecteur|à l'évaluateur|aux relecteurs|à l'attention|cher|chers|si tu es|si vous êtes|attention|pour le|pour les|message au|au modèle|à l'auditeur",
  consent:
    "demande à l'utilisateur|demande confirmation|demande toujours confirmation|avec l'accord|si l'utilisateur|après confirmation|une fois que l'utilisateur|propose|demander confirmation|après accord|demande d'abord|à la demande de",
  attacker:
    'attaquant|attaquants|attaque|attaques|malveillant|malveillante|malveillants|injection|injections|pirate|pirates|intrus|logiciel malveillant|hameçonnage|voleur',
  'watch-for':
    'signale|détecte|détecter|cherche|surveille|alerte|méfie-toi|exemple de|exemples de|phrases comme|protège contre|empêche|bloque|refuse|repère|signes de|typique|dangereux|suspect',
  you: 'tu es|vous êtes|agis comme|comporte-toi|réponds comme',
  login: 'en-tête|authentification|authorization',
  mode: 'mode administrateur|mode développeur|mode maintenance',
  mine: 'mine du monero|miner du monero|mine des cryptomonnaies|miner des cryptomonnaies|miner du bitcoin|miner de la cryptomonnaie',
  carrier: "paramètre|prochaine requête|l'url|une url|chaîne de requête|sous-domaine|requête dns",
  evaluate:
    'évalu*|examin*|jug*|analys*|verdict|relis*|relit|contrôl*|vérifi*|note|notes|notez|noter|audite*',
  only: 'seul|seule|seulement|uniquement|que|exclusivement',
  your: 'tes|ton|vos|ta',
  object: "s'oppose|refuse|dit non|proteste|objecte|demande d'arrêter|se plaint|dit stop",
  'go-on': 'quand même|continue|poursuis|malgré|tout de même|néanmoins|passe outre',
  narrow: 'règle du pare-feu|règle de pare-feu|du port',
  'remember-to': "n'oublie pas|n'oubliez pas",
};
